import { createCatalog } from '../../../core/catalog/catalog.ts';
import { sse } from '../../../core/framing/sse.ts';
import { composeRewrite } from '../../../core/exchange/rewrite.ts';
import { composeAdmit } from '../../../core/exchange/admit.ts';
import { composeEnter } from '../../../core/exchange/authenticate.ts';
import type { ClientConnection } from '../../../core/exchange/client-connection.ts';
import { createAttribute } from '../../../core/exchange/request/attribution.ts';
import { createPipeline, type PipelineParts } from '../../../core/exchange/pipeline.ts';
import { MemoryRecords } from '../../../core/services/vendor-state/memory-records.ts';
import { VendorState } from '../../../core/services/vendor-state/vendor-state.ts';
import { createMetrics } from '../../../core/services/metrics/metrics.ts';
import type { GenerateRequest, Outcome, PluginInstance, RequestHead } from '../../../core/api/index.ts';
import type { ClientSide } from '../../../core/api/codec.ts';
import { createTestHead, createTestLog, createTestRequest } from '../../../core/testing/index.ts';

/** A minimal wire: the body is `{model, stream}`, errors are `{code}`. */
export const plainClient: ClientSide<'generate'> = {
  decodeRequest: ({ body }) => {
    const { model, stream = false } = body as { model: string; stream?: boolean };
    const request: GenerateRequest = { ...createTestRequest(), stream };
    return { model, request };
  },
  encodeResponse: () => ({}),
  encodeStream: () => ({
    push: (event, write) => {
      if (event.type === 'error') write('error', JSON.stringify({ code: event.error.code }));
    },
  }),
  encodeError: (error) => ({ status: error.status, headers: { 'x-wire': 'plain' }, body: { code: error.code } }),
  encodeLimits: ({ requests }) => ({ 'x-limit': String(requests?.limit) }),
  keepalive: { event: 'ping', data: '{}' },
};

export interface TestConnection extends ClientConnection {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  ended: number;
  cuts: number;
  trailers: Readonly<Record<string, string>>;
  reads: number;
}

export const createTestConnection = (body: string): TestConnection => {
  const connection: TestConnection = {
    status: 0,
    headers: {},
    text: '',
    ended: 0,
    cuts: 0,
    trailers: {},
    hasTrailers: true,
    reads: 0,
    readBody: async () => {
      connection.reads += 1;
      return Buffer.from(body);
    },
    readForm: () => Promise.reject(new Error('no test sends a form')),
    begin: (status, headers) => {
      connection.status = status;
      connection.headers = headers;
    },
    write: (bytes) => {
      connection.text += Buffer.from(bytes).toString();
      return undefined;
    },
    last: (bytes) => {
      connection.text += Buffer.from(bytes).toString();
    },
    end: () => {
      connection.ended += 1;
      return undefined;
    },
    trail: (headers) => {
      connection.trailers = headers;
    },
    cut: () => {
      connection.cuts += 1;
    },
    get begun() {
      return connection.status !== 0;
    },
    get sent() {
      return Buffer.byteLength(connection.text);
    },
  };
  return connection;
};

/** Two plugins that admit and count what they are settled with. */
export const createSettlers = (): {
  readonly plugins: readonly PluginInstance[];
  readonly settled: readonly Outcome[][];
} => {
  const settled: Outcome[][] = [[], []];
  return {
    settled,
    plugins: settled.map((list) => ({ admit: () => ({ settle: (outcome) => void list.push(outcome) }) })),
  };
};

/** Runs one exchange with minimal parts. */
export const runExchange = async (given: {
  readonly parts?: Partial<PipelineParts>;
  readonly plugins?: readonly PluginInstance[];
  readonly body?: string;
  readonly head?: Partial<RequestHead>;
  readonly connection?: TestConnection;
}) => {
  const {
    parts,
    plugins = [],
    body = '{"model":"vendor/model"}',
    head,
    connection = createTestConnection(body),
  } = given;
  const log = createTestLog();
  const catalog = createCatalog(
    { models: { 'vendor/model': { wires: ['chat-completions'], targets: [], capabilities: {} } }, aliases: {} },
    new Map(),
    [],
    0,
  );
  const run = createPipeline({
    background: { leave: () => false },
    catalog,
    attribute: createAttribute({ attribution: { user: 'plain' }, organizations: {} }),
    isCodingAgent: () => false,
    tenancy: { scopes: () => [] },
    vendorState: new VendorState(new MemoryRecords({ now: () => 0 }), log, createMetrics(), { keep: 0, size: 0 }),
    ended: () => {},
    logStart: false,
    identify: () => ({ key: 'alice', project: 'web', organization: 'acme', models: [] }),
    overload: {
      enter: () => true,
      leave: () => {},
      hold: () => ({ spend: () => {}, take: () => {}, release: () => {} }),
      openUpload: () => ({ store: () => {}, release: () => {} }),
    },
    enter: composeEnter(plugins),
    rewrite: composeRewrite(plugins, () => undefined, catalog),
    admit: composeAdmit(plugins),
    dispatch: () => Promise.reject(new Error('no dispatch')),
    framing: (name) => (name === 'sse' ? sse : undefined),
    stream: { openAfter: 10_000, keepaliveEvery: 10_000 },
    logExchange: (fields) => log.info(JSON.parse(`{${fields}}`), 'exchange'),
    watchUsage: () => {},
    log,
    clock: { now: () => 0, monotonic: () => 5 },
    ...parts,
  });
  await run(
    { ...createTestHead(), ...head },
    { operation: 'generate', wire: 'chat-completions', traits: {}, client: plainClient },
    connection,
  );
  return {
    connection,
    log,
    line: log.lines
      .filter(({ text }) => text === 'exchange')
      .map(({ fields }) => fields as Readonly<Record<string, unknown>>),
  };
};
