/** The engine of this page. */

import { effect } from '@preact/signals';

import { connect } from '../engine/default';
import { createEngine } from '../engine/engine';
import { engineOptions } from './settings';

export const engine = createEngine(connect);

effect(() => engine.configure(engineOptions.value));
