import type {
  Caller,
  DraftOf,
  EndedRequest,
  ExchangeOf,
  GenerateRequest,
  Outcome,
  RequestHead,
  Target,
} from '../api/index.ts';

const { signal } = new AbortController();
/** One object, as the gateway has one for each key. */
const alice: Caller = { key: 'alice', project: 'web', organization: 'acme', models: [] };

/** The head of a request for chat completions, for the hooks `identify` and `enter`. */
export const createTestHead = (given: Partial<RequestHead> = {}): RequestHead => ({
  id: 'req_1',
  route: { path: '/v1/chat/completions', operation: 'generate', wire: 'chat-completions' },
  method: 'POST',
  path: '/v1/chat/completions',
  headers: {},
  query: {},
  address: '192.0.2.1',
  startedAt: 0,
  signal,
  ...given,
});

/** A request in canonical form: the question "Hello". */
export const createTestRequest = ({
  wire = 'chat-completions',
  ...given
}: Partial<GenerateRequest> = {}): GenerateRequest => ({
  wire,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  choices: 1,
  stream: false,
  includeUsage: false,
  extra: { wire, members: {} },
  ...given,
});

/** A target with one credential and without a price. @param id `<provider>/<model at the provider>` */
export const createTestTarget = (id: string, given: Partial<Target> = {}): Target => ({
  id,
  provider: id.split('/')[0] ?? '',
  model: id.split('/')[1] ?? '',
  endpoint: { wires: [], origin: { provider: 'vendor', family: 'vendor' } },
  credentials: ['key-1'],
  ...given,
});

/**
 * A decoded request of the key `alice` in the project `web` of `acme`, for the hook `rewrite`.
 * @example await rewrite?.(createTestDraft({ model: 'team', headers: { 'x-team': 'search' } }))
 */
export const createTestDraft = (given: Partial<DraftOf<'generate'>> = {}): DraftOf<'generate'> => {
  const head = createTestHead(given);
  const { headers, query } = head;
  return {
    ...head,
    operation: 'generate',
    caller: alice,
    inbound: { raw: new Uint8Array(), body: {}, headers, query },
    model: 'vendor/model',
    catalogId: 'vendor/model',
    catalog: { find: () => undefined, models: [] },
    request: createTestRequest({ wire: head.route.wire }),
    work: { spend: () => {} },
    ...given,
  };
};

/**
 * An exchange with one target, for the hooks `admit`, `guard`, `observe` and `explain`. Its computation is not counted:
 * give it `work` to see what a hook spends. For another operation, spread it:
 * `{ ...createTestExchange(), operation: 'embed', request }`.
 * @example assert.throws(() => admit?.(createTestExchange({ headers: {} })), { status: 400 })
 */
export const createTestExchange = (given: Partial<ExchangeOf<'generate'>> = {}): ExchangeOf<'generate'> => ({
  ...createTestDraft(given),
  framing: 'sse',
  targets: [createTestTarget('vendor/model')],
  estimate: { inputTokens: 1, outputTokens: 1, declared: true },
  losses: 'allow',
  hostedTools: 'refuse',
  attempts: [],
  ...given,
});

/**
 * How an exchange ended, for `settle` and `ended`: a response with status 200 that used nothing.
 * @example await admission?.settle?.(createTestOutcome({ cost: 1_000n }))
 */
export const createTestOutcome = (given: Partial<Outcome> = {}): Outcome => ({
  result: 'ok',
  status: 200,
  endedAt: Date.now(),
  charges: [],
  usage: undefined,
  cost: undefined,
  attempts: [],
  times: { total: 1, own: 1 },
  ...given,
});

/**
 * A request that has ended, for the hook `ended`.
 * @example ended?.(createTestEnded({ outcome: createTestOutcome({ result: 'rate_limited', status: 429 }) }))
 */
export const createTestEnded = (given: Partial<EndedRequest> = {}): EndedRequest => {
  const exchange = given.exchange ?? createTestExchange();
  return { head: exchange, caller: exchange.caller, exchange, outcome: createTestOutcome(), ...given };
};
