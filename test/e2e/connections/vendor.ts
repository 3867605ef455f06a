import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createChatClient } from '../../matrix/clients/client-chat.ts';
import { createMessagesClient } from '../../matrix/clients/client-messages.ts';
import { answerJson } from '../../support/upstream.ts';

const chat = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
};
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Good day.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};

export interface Vendor {
  readonly port: number;
  /** The names in the certificates of the clients, one for each call. */
  readonly clients: (string | undefined)[];
  /** How many connections it accepted. */
  connections(): number;
  stop(): Promise<void>;
}

/** A vendor with two wires. @param tls of a secure server */
export async function startVendor(tls?: ServerOptions): Promise<Vendor> {
  const clients: (string | undefined)[] = [];
  let connections = 0;
  const answer: RequestListener = (request, response) => {
    const socket = request.socket as TLSSocket;
    clients.push(tls === undefined ? undefined : (socket.getPeerCertificate().subject?.CN as string | undefined));
    request.resume().on('end', () => answerJson(response, request.url?.includes('/messages') ? message : chat));
  };
  const server: Server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  server.on(tls === undefined ? 'connection' : 'secureConnection', () => (connections += 1));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    clients,
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two providers with the same connections. @param settings beside `use` and `config` */
export const vendorSettings = (baseUrl: string, settings: object): Readonly<Record<string, unknown>> => ({
  providers: {
    openai: { use: 'openai', config: { apiKey: 'upstream-secret', baseUrl: `${baseUrl}/v1` }, ...settings },
    anthropic: { use: 'anthropic', config: { apiKey: 'upstream-secret', baseUrl }, ...settings },
  },
  models: {
    'openai/gpt-4.1': { targets: [{ provider: 'openai', model: 'gpt-4.1' }] },
    'anthropic/claude': { targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }] },
  },
});

/** One call on each wire. @returns the texts of the responses */
export async function callBoth(url: string): Promise<readonly unknown[]> {
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const { choices } = await createChatClient(url).chat.completions.create({ model: 'openai/gpt-4.1', messages });
  const { content } = await createMessagesClient(url).messages.create({
    model: 'anthropic/claude',
    max_tokens: 9,
    messages,
  });
  const [first] = content;
  return [choices[0]?.message.content, first?.type === 'text' ? first.text : first];
}
