/** The engine of a page without a server (`make site`): it comes along, and stays for visits without a network. */

import type { Connect } from './connection';
import { keepOffline } from './offline';
import { connectToWorker } from './worker';

keepOffline();

export const connect: Connect = connectToWorker(new URL('engine/rufous.js', document.baseURI));
