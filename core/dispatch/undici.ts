import { createRequire } from 'node:module';
import type * as undici from 'undici';

const require = createRequire(import.meta.url);

// Imports single files, because the index of the package also loads its fetch, caches and mocks: 85 files.
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export const Client = require('undici/lib/dispatcher/client.js') as typeof undici.Client;
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof undici.Pool;
/** Sends a CONNECT request over the dispatcher that it is called with. */
export const requestTunnel = require('undici/lib/api/api-connect.js') as (
  this: undici.Dispatcher,
  options: Omit<undici.Dispatcher.ConnectOptions, 'origin'>,
  callback: (error: Error | null, data: undici.Dispatcher.ConnectData) => void,
) => void;
export const buildConnector = require('undici/lib/core/connect.js') as typeof undici.buildConnector;
