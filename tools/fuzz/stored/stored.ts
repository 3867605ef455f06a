import { startUpstream, type TestUpstream } from '../../../test/support/upstream.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { isRefusedBody, plantFault, PROMPT_MS, readErrorFlaw, sendFuzz, type FuzzReply } from '../http.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import { headersOf, keys, makeCall, makeContinuation, type Created, type Project, type StoredCall } from './calls.ts';
import { createVendors, storedWires, vendorSettings, type StoredWire } from './wires.ts';

const UPSTREAM_SECRET = 'upstream-secret-of-the-fuzzer';
const secrets = [...Object.values(keys), UPSTREAM_SECRET];
/** A background response ends so many milliseconds after its case has begun. */
const END_MS = 200;

const settingsFor = (url: string): object => ({
  server: { port: 0 },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  ...vendorSettings(url, UPSTREAM_SECRET),
  organizations: {
    acme: {
      projects: {
        web: { keys: { web: { key: keys.web, limits: [{ requests: 1_000_000, per: '1m' }] } } },
        shop: { keys: { shop: { key: keys.shop, vendorState: 'allow' } } },
      },
    },
  },
  plugins: ['metrics', 'auth', 'rate-limit', 'ledger'].map((use) => ({ use })),
});

class StoredTarget implements Target {
  readonly process: FuzzGateway;
  readonly #upstream: TestUpstream;
  readonly #report: ReportFinding;
  readonly #vendors = createVendors();

  constructor(gateway: FuzzGateway, upstream: TestUpstream, report: ReportFinding) {
    this.process = gateway;
    this.#upstream = upstream;
    this.#report = report;
    upstream.answer = this.#vendors.answer;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.#upstream.stop();
  }

  async play(fuzzCase: FuzzCase): Promise<string> {
    const { random } = fuzzCase;
    const wire = random.pick(storedWires);
    const background = wire.hasBackground && random.chance(0.4);
    const created = { web: await this.#create(wire, 'web', background), shop: await this.#create(wire, 'shop', false) };
    const ending = setTimeout(() => this.#vendors.end(created.web), END_MS);
    const outcomes: string[] = [];
    try {
      for (let times = 1 + random.below(3); times > 0; times -= 1)
        outcomes.push(await this.#call(wire, created, fuzzCase));
    } finally {
      clearTimeout(ending);
      this.#vendors.end(created.web);
    }
    return outcomes.at(-1) ?? '';
  }

  async #create({ path, model }: StoredWire, project: Project, background: boolean): Promise<string> {
    const { text } = await sendFuzz(this.process.url, {
      path,
      headers: headersOf(project),
      pieces: [Buffer.from(JSON.stringify({ model, input: 'Hello', ...(background ? { background } : {}) }))],
    });
    const { id } = JSON.parse(text) as { readonly id?: string };
    if (id === undefined) throw new Error(`nothing was created: ${text}`);
    return id;
  }

  async #call(wire: StoredWire, created: Created, { number, random, isPlanted }: FuzzCase): Promise<string> {
    const call = (random.chance(0.7) ? makeCall : makeContinuation)(wire, created, random);
    this.#upstream.calls.length = 0;
    try {
      const sent = await sendFuzz(this.process.url, call.request, PROMPT_MS);
      const reply = isPlanted ? plantFault(sent, number, UPSTREAM_SECRET) : sent;
      for (const flaw of this.#judge(call, reply)) this.#report(flaw, number);
      return String(reply.status);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) throw thrown;
      return 'closed';
    }
  }

  #judge({ request, planted, isForeign }: StoredCall, reply: FuzzReply): readonly string[] {
    const { method = 'POST', path } = request;
    const { status, text, headers } = reply;
    const what = `${method} ${path.slice(0, 200)}: ${status}`;
    const flaw = status < 500 && method !== 'HEAD' ? readErrorFlaw(reply) : undefined;
    const { calls } = this.#upstream;
    return [
      ...(status >= 500 ? [`${what} ${text.slice(0, 300)}`] : []),
      ...(flaw === undefined ? [] : [`${what}: ${flaw}`]),
      ...(isForeign && status < 400 && method !== 'OPTIONS' ? [`${what} for the key of another project`] : []),
      ...(planted !== undefined && calls.some(({ raw }) => raw.includes(planted))
        ? [`${what}: the id of another project at the vendor`]
        : []),
      ...(secrets.some((secret) => (text + JSON.stringify(headers)).includes(secret)) ? [`${what}: a secret`] : []),
      ...(calls.some(({ path: called }) => called.includes(keys.web)) ? [`${what}: a key at the vendor`] : []),
    ];
  }
}

/** Random calls with the ids of stored responses and interactions. */
export const stored: Surface = {
  name: 'stored',
  lanes: 1,
  casesPerTarget: 600,
  start: async (_options, report) => {
    const upstream = await startUpstream();
    const gateway = await startFuzzGateway({ settings: settingsFor(upstream.url), report, secrets });
    return new StoredTarget(gateway, upstream, report);
  },
};
