import type * as http from 'node:http';

/**
 * `node:http` by `require`. An `import` reads every export, and one of them (WebSocket) loads Node's own `fetch`: 14
 * MB, and a tenth of the startup time.
 */
export const {
  Agent,
  createServer,
  request,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
}: typeof http = process.getBuiltinModule('node:http');
