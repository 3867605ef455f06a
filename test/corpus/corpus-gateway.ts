import type { BuiltIns } from '../../core/extensions/extension.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';
import { azureApiOf, compatibleVendorOf, listAzure, nameAzure } from './compatible-vendors.ts';
import { modelOf, responseText, type CorpusLine, type Json } from './lines.ts';
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

/** Requests for this model are translated to this wire. */
export const translatedTo = (wire: string): string => `to/${wire}`;

/** What a test of the corpus adds to the configuration. */
export interface CorpusSettings {
  /** Of every model. */
  readonly price?: object;
  readonly plugins?: readonly object[];
  /** Models besides those of the lines, at three times the price. */
  readonly models?: readonly string[];
  readonly extensions?: BuiltIns;
}

/** The id of a line's model. The same model at Azure is another one. */
export const idOf = (line: CorpusLine): string => {
  const api = azureApiOf(line);
  return `${api === undefined ? 'vendor' : nameAzure(api)}/${modelOf(line)}`;
};

/** The name of the provider of a compatible vendor. */
const nameCompatible = ({ provider }: CorpusLine): string => `compatible-${provider.replaceAll(/[^a-z0-9]/g, '-')}`;

/** The providers of compatible vendors, by name. */
const listCompatible = (lines: readonly CorpusLine[], wire: string, url: string): Record<string, object> =>
  Object.fromEntries(
    lines.map((line) => {
      const { use = 'openai-compatible', config, ...settings } = compatibleVendorOf(line) ?? {};
      const all = {
        apiKey: UPSTREAM_KEY,
        baseUrl: `${url}/v1`,
        ...(use === 'mistral' ? {} : { wires: [wire] }),
        ...config,
      };
      return [nameCompatible(line), { use, config: all, ...settings }] as const;
    }),
  );

/** The models that hosted tools of a recorded request call. */
const toolModelsOf = ({ request: { body } }: CorpusLine): readonly string[] => {
  const tools = Array.isArray(body?.['tools']) ? (body['tools'] as readonly Json[]) : [];
  const settings = tools.flatMap((tool) => [tool, (tool['parameters'] ?? {}) as Json]);
  return settings.map(({ model }) => model).filter((model) => typeof model === 'string');
};

/** Every model of a file at its vendor, also those of its hosted tools, and one model at the vendor of each wire. */
const configOf = <W extends string, A>(
  { cards, wires, routes }: CorpusOperation<W, A>,
  lines: readonly CorpusLine[],
  wire: W,
  url: string,
  { price, plugins, models: others = [] }: CorpusSettings,
): Record<string, unknown> => {
  const used = [...new Set(wires.map((each) => cards[each].provider))];
  const isCompatible = (line: CorpusLine): boolean =>
    cards[wire].provider === 'openai' && compatibleVendorOf(line) !== undefined;
  const target = (each: W, model: string, provider: string = cards[each].provider): object => ({
    wires,
    targets: [{ provider, model, wire: each }],
    ...(price === undefined ? {} : { price }),
  });
  const providerOf = (line: CorpusLine): string | undefined => {
    const api = cards[wire].provider === 'openai' ? azureApiOf(line) : undefined;
    if (api !== undefined) return nameAzure(api);
    return isCompatible(line) ? nameCompatible(line) : undefined;
  };
  const own = lines.map((line) => [idOf(line), target(wire, modelOf(line), providerOf(line))] as const);
  const ofTools = lines.flatMap((line) =>
    toolModelsOf(line).map((model) => [`tools/${model}`, target(wire, model, providerOf(line))] as const),
  );
  const further = others.map((model) => [`vendor/${model}`, { ...target(wire, model), priceFactor: 3 }] as const);
  return {
    providers: {
      ...Object.fromEntries(
        used.map((name) => [name, { use: name, config: { apiKey: UPSTREAM_KEY, baseUrl: url + bases[name] } }]),
      ),
      ...listCompatible(lines.filter(isCompatible), wire, url),
      ...listAzure(url, UPSTREAM_KEY),
    },
    models: Object.fromEntries([
      ...further,
      ...ofTools,
      ...own,
      ...wires.map((each) => [translatedTo(each), target(each, cards[each].model)] as const),
    ]),
    routes,
    ...(plugins === undefined ? {} : { plugins }),
  };
};

export const startCorpusGateway = async <W extends string, A>(
  operation: CorpusOperation<W, A>,
  lines: readonly CorpusLine[],
  wire: W,
  settings: CorpusSettings = {},
): Promise<CorpusGateway> => {
  const upstream = await startUpstream();
  const config = configOf(operation, lines, wire, upstream.url, settings);
  const gateway = await startTestGateway(config, settings.extensions);
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

const typeOf = ({ response: { sse, ndjson } }: CorpusLine): string => {
  if (sse !== undefined) return 'text/event-stream';
  return ndjson === undefined ? 'application/json' : 'application/x-ndjson';
};

/** From now on the vendor responds as recorded. */
export const replay = ({ upstream }: CorpusGateway, line: CorpusLine): void => {
  upstream.calls.length = 0;
  const { status, headers } = line.response;
  // When to retry, and the exception of AWS: the other headers describe the recorded connection.
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => /retry|x-amzn-errortype/.test(name)));
  upstream.answer = (response) =>
    void response.writeHead(status, { ...kept, 'content-type': typeOf(line) }).end(responseText(line));
};
