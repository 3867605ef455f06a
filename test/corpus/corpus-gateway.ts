import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { modelOf, responseText, type CorpusLine } from './lines.ts';
import type { CorpusOperation } from './wire-adapter.ts';

/** A gateway whose vendors respond with recordings. */
export interface CorpusGateway {
  readonly url: string;
  readonly gateway: TestGateway;
  readonly upstream: TestUpstream;
  stop(): Promise<void>;
}

/** The gateway's own key at every vendor: it must never reach a client. */
export const UPSTREAM_KEY = 'sk-upstream-0123456789abcdef0123456789';

/** The path of each vendor's base address, by the convention of its SDK. */
const bases = { openai: '/v1', anthropic: '', google: '' } as const;

/** A server whose streams end without a finish reason. */
const OMITS_FINISH = 'snowflake';

/** Requests for this model are translated to this wire. */
export const translatedTo = (wire: string): string => `to/${wire}`;

/** Every model of a file at its vendor, and one model at the vendor of each wire. */
const configOf = <W extends string, A>(
  { cards, wires, routes }: CorpusOperation<W, A>,
  lines: readonly CorpusLine[],
  wire: W,
  url: string,
): Record<string, unknown> => {
  const used = [...new Set(wires.map((each) => cards[each].provider))];
  const target = (each: W, model: string): object => ({
    wires,
    targets: [{ provider: cards[each].provider, model, wire: each }],
  });
  const own = [...new Set(lines.map(modelOf))].map((model) => [`vendor/${model}`, target(wire, model)] as const);
  const omitting = lines.filter(({ provider }) => provider === OMITS_FINISH).map(modelOf);
  const odd = omitting.map(
    (model) => [`vendor/${model}`, { wires, targets: [{ provider: OMITS_FINISH, model, wire }] }] as const,
  );
  return {
    providers: {
      ...Object.fromEntries(
        used.map((name) => [name, { use: name, config: { apiKey: UPSTREAM_KEY, baseUrl: url + bases[name] } }]),
      ),
      [OMITS_FINISH]: {
        use: 'openai-compatible',
        config: { apiKey: UPSTREAM_KEY, baseUrl: `${url}/v1`, omitsFinishReason: true },
      },
    },
    models: Object.fromEntries([
      ...own,
      ...odd,
      ...wires.map((each) => [translatedTo(each), target(each, cards[each].model)] as const),
    ]),
    routes,
  };
};

export const startCorpusGateway = async <W extends string, A>(
  operation: CorpusOperation<W, A>,
  lines: readonly CorpusLine[],
  wire: W,
): Promise<CorpusGateway> => {
  const upstream = await startUpstream();
  const gateway = await startTestGateway(configOf(operation, lines, wire, upstream.url));
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

/** From now on the vendor responds as recorded. */
export const replay = ({ upstream }: CorpusGateway, line: CorpusLine): void => {
  upstream.calls.length = 0;
  const { status, headers, sse } = line.response;
  const retry = Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('retry')));
  upstream.answer = (response) =>
    void response
      .writeHead(status, { ...retry, 'content-type': sse === undefined ? 'application/json' : 'text/event-stream' })
      .end(responseText(line));
};
