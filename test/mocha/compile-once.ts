import { flushCompileCache } from 'node:module';
import '../../bin/quick-start.js';

/**
 * All processes of a run, and the gateways they start, share one cache of compiled code. It is saved after each file:
 * most of these processes are killed, and then save nothing.
 */
export const mochaHooks = { afterAll: flushCompileCache };
