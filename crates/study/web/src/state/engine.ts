/** The engine of this page. */

import { effect } from '@preact/signals';

import { createEngine } from '../engine/engine';
import { connectToServer, serverAddress } from '../engine/websocket';
import { engineOptions } from './settings';

export const engine = createEngine(connectToServer(serverAddress(location)));

effect(() => engine.configure(engineOptions.value));
