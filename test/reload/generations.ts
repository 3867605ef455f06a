import { Agent, request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { goodHeaders } from '../support/http.ts';
import { configOf, type KoineProcess } from '../processes/koine-process.ts';

const plugin = fileURLToPath(new URL('../fixtures/extensions/generation/index.ts', import.meta.url));

/** Settings whose responses name their generation in every part. The file is not watched: tests trigger reloads. */
export const generationOf = (
  name: string,
  { server, ...more }: Readonly<Record<string, unknown>> = {},
  options: object = {},
): Readonly<Record<string, unknown>> & { readonly server: { readonly workers: number; readonly watch: boolean } } => ({
  server: { workers: 1, watch: false, ...(server as object) },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: `chat-${name}` }] } },
  plugins: [
    { use: 'metrics' },
    { use: 'auth' },
    { use: 'rate-limit' },
    { use: plugin, config: { name, ...options } },
    { use: 'failover' },
  ],
  ...more,
});

export const writeGeneration = (...args: Parameters<typeof generationOf>): string =>
  stringify(configOf(generationOf(...args)));

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends requests over a keep-alive connection, as SDKs do. */
export const createAsk = ({ url }: Pick<KoineProcess, 'url'>): { ask(more?: object): Promise<Answer>; end(): void } => {
  const agent = new Agent({ keepAlive: true });
  const ask = (more: object = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = requestHttp(
        `${url}/v1/chat/completions`,
        { method: 'POST', headers: goodHeaders, agent },
        (response) => {
          let text = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .once('error', reject)
            .once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        },
      );
      request.once('error', reject).end(
        JSON.stringify({
          model: 'simulator/chat',
          messages: [{ role: 'user', content: 'Hi [[simulator words=3]]' }],
          ...more,
        }),
      );
    });
  return { ask, end: () => agent.destroy() };
};

/** The generation of a response, if all its parts name the same one. */
export const generationIn = ({ status, headers, text }: Answer): string => {
  const named = [
    headers['x-outer'],
    headers['x-generation'],
    headers['x-primary'],
    /"model":"chat-(\w+)"/.exec(text)?.[1],
  ];
  const [first] = named;
  return status === 200 && typeof first === 'string' && named.every((one) => one === first)
    ? first
    : `${status} ${JSON.stringify(named)} ${text.slice(0, 200)}`;
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
