import { startTestGateway, type TestGateway } from '../e2e/gateway.ts';
import { startUpstream, type TestUpstream } from '../e2e/upstream.ts';
import { modelOf, responseText, type CorpusLine } from './lines.ts';
import { generationWires, wireCards, type GenerationWire } from './wires.ts';

/** A gateway whose vendors answer with recordings. */
export interface CorpusGateway {
  readonly url: string;
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  stop(): Promise<void>;
}

/** The gateway's own key at every vendor: it must never reach a client. */
export const UPSTREAM_KEY = 'sk-upstream-0123456789abcdef0123456789';

const providers = (url: string): Record<string, unknown> => ({
  openai: { use: 'openai', config: { apiKey: UPSTREAM_KEY, baseUrl: `${url}/v1` } },
  anthropic: { use: 'anthropic', config: { apiKey: UPSTREAM_KEY, baseUrl: url } },
  ...(generationWires.includes('generate-content') ? { google: { use: 'google', config: { apiKey: UPSTREAM_KEY, baseUrl: url } } } : {}),
});

const googleRoutes = ['/v1', '/v1beta'].flatMap((version) => [
  { path: `${version}/models/{model}:generateContent`, wire: 'generate-content' },
  { path: `${version}/models/{model}:streamGenerateContent`, wire: 'generate-content', stream: true },
]);

export const routes: readonly object[] = [
  { path: '/v1/chat/completions', wire: 'chat-completions' },
  { path: '/v1/messages', wire: 'messages' },
  ...(generationWires.includes('responses') ? [{ path: '/v1/responses', wire: 'responses' }] : []),
  ...(generationWires.includes('generate-content') ? googleRoutes : []),
];

/** Whoever names this model is translated to this wire. */
export const translatedTo = (wire: GenerationWire): string => `to/${wire}`;

const target = (wire: GenerationWire, model: string): object => ({ wires: generationWires, targets: [{ provider: wireCards[wire].provider, model, wire }] });

/** Every model of a file at its own vendor, and one model at the vendor of each wire. */
const modelsOf = (lines: readonly CorpusLine[], wire: GenerationWire): Record<string, unknown> =>
  Object.fromEntries([
    ...[...new Set(lines.map(modelOf))].map((model) => [`vendor/${model}`, target(wire, model)]),
    ...generationWires.map((other) => [translatedTo(other), target(other, wireCards[other].model)]),
  ]);

export const startCorpusGateway = async (lines: readonly CorpusLine[], wire: GenerationWire): Promise<CorpusGateway> => {
  const upstream = await startUpstream();
  const gateway = await startTestGateway({ providers: providers(upstream.url), models: modelsOf(lines, wire), routes });
  return {
    url: gateway.url,
    gateway,
    upstream,
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
};

/** From now on the vendor answers as recorded. */
export const replay = ({ upstream }: CorpusGateway, line: CorpusLine): void => {
  upstream.calls.length = 0;
  const { status, headers, sse } = line.response;
  const retry = Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('retry')));
  upstream.answer = (response) => void response.writeHead(status, { ...retry, 'content-type': sse === undefined ? 'application/json' : 'text/event-stream' }).end(responseText(line));
};
