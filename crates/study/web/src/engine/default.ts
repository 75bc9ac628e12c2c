/** The engine of this build of the page: that of the server which the page came from. A build without a server puts
 * another file in the place of this one. */

import type { Connect } from './connection';
import { connectToServer, serverAddress } from './websocket';

export const connect: Connect = connectToServer(serverAddress(location));
