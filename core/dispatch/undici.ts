import { createRequire } from 'node:module';
import type * as undici from 'undici';

const require = createRequire(import.meta.url);

// Imports single files, because the index of the package also loads its fetch, caches and mocks: 85 files.
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof undici.Agent;
export const Client = require('undici/lib/dispatcher/client.js') as typeof undici.Client;
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof undici.Pool;
export const buildConnector = require('undici/lib/core/connect.js') as typeof undici.buildConnector;
