import type { Json } from '../../matrix/wires.ts';
import { startJsonProcess, type JsonProcess, type Started } from './json-process.ts';

/** A program that speaks JSON-RPC, one message per line. */
export interface RpcProcess extends JsonProcess {
  /** Resolves with the result of the call. */
  call(method: string, params: Json): Promise<Json>;
}

/** @param replies the results of the calls that the program makes, by method */
export const startRpcProcess = (
  started: Started,
  replies: Readonly<Record<string, (params: Json) => Json>>,
): RpcProcess => {
  const child = startJsonProcess({
    ...started,
    onMessage: ({ id, method, params }, send) => {
      if (id === undefined || typeof method !== 'string') return;
      const reply = replies[method];
      const error = { code: -32_601, message: `no such method: ${method}` };
      send({ jsonrpc: '2.0', id, ...(reply === undefined ? { error } : { result: reply(params as Json) }) });
    },
  });
  let calls = 0;
  return {
    ...child,
    call: async (method, params) => {
      const id = (calls += 1);
      child.send({ jsonrpc: '2.0', id, method, params });
      const reply = await child.find(
        `result of ${method}`,
        (message) => message['id'] === id && !('method' in message),
      );
      if (reply['error'] !== undefined) throw new Error(`${method}: ${JSON.stringify(reply['error'])}`);
      return reply['result'] as Json;
    },
  };
};
