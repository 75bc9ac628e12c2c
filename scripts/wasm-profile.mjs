/**
 * Runs the commands on a module that counts how often each part of it is executed, and writes the counts as a raw profile
 * for llvm-profdata. The file has the layout of LLVM's own runtime, which does not exist for this target
 * (compiler-rt/include/profile/InstrProfData.inc, version 10).
 *
 *     node scripts/wasm-profile.mjs MODULE NETWORK PROFILE COMMAND…
 */

import { readFileSync, writeFileSync } from 'node:fs';

const [file, network, profile, ...commands] = process.argv.slice(2);
const nothing = () => {};
const host = { say: nothing, wake: nothing, pause: nothing, now: () => performance.now(), random: Math.random };
host.die = (at, length) => {
  throw new Error(Buffer.from(exports.memory.buffer, at, length).toString());
};
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { rufous: host });

function handOver(bytes) {
  const at = exports.allocate(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  return [at, bytes.length];
}

exports.begin(...handOver(readFileSync(network)));
for (const command of commands) {
  exports.hear(...handOver(Buffer.from(command)));
  while (exports.work()) exports.attend();
}

/** A section of the module's memory: where it begins, and its bytes. */
function section(name) {
  const [start, stop] = ['start', 'stop'].map((end) => exports[`__${end}___llvm_prf_${name}`].value);
  return { start, bytes: Buffer.from(exports.memory.buffer, start, stop - start) };
}

const VERSION = 10n;
const COUNTER = 8;
const RECORD = 48;
const LAST_VALUE_KIND = 2;
const version = new DataView(exports.memory.buffer).getBigUint64(exports.__llvm_profile_raw_version.value, true);
// The high bits say what was counted.
if (BigInt.asUintN(32, version) !== VERSION) throw new Error(`profiles of version ${version} are not known here`);

const [data, counters, names] = ['data', 'cnts', 'names'].map(section);
const header = [
  0xff6c70726f665281n, // the magic number for pointers of 32 bits
  version,
  0, // binary ids
  data.bytes.length / RECORD,
  0, // padding before the counters
  counters.bytes.length / COUNTER,
  0, // padding after them
  0, // bitmap
  0, // padding after it
  names.bytes.length,
  (counters.start - data.start) >>> 0, // with the wrap of a pointer
  0, // the same for the bitmap
  names.start,
  0, // tables of virtual functions
  0, // their names
  LAST_VALUE_KIND,
];
const padding = Buffer.alloc(-names.bytes.length & 7);
writeFileSync(
  profile,
  Buffer.concat([Buffer.from(BigUint64Array.from(header, BigInt).buffer), data.bytes, counters.bytes, names.bytes, padding]),
);
