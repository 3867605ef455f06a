import { fileURLToPath } from 'node:url';
import { KEY } from '../../../test/support/gateway.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { isRefusedBody, readErrorFlaw, sendFuzz, type FuzzReply, type FuzzRequest } from '../http.ts';
import { startFuzzProvider, type FuzzProvider } from '../identity/provider.ts';
import { signInAs } from '../identity/sign-in.ts';
import type { FuzzCase, FuzzOptions, ReportFinding, Surface, Target } from '../play.ts';
import { includes, leastRoleOf, readCalls, type AdminCall, type Role } from './calls.ts';
import { makeAdminRequest } from './requests.ts';

const TOKEN = 'admin-token-of-the-fuzzer-0123456789';
const secrets = [TOKEN, KEY, 'upstream-secret-of-the-fuzzer', 'client-secret-of-the-fuzzer'] as const;
const [, , UPSTREAM_SECRET, CLIENT_SECRET] = secrets;
const PLUGIN = fileURLToPath(
  new URL('../../../test/fixtures/extensions/planted-admin-faults/index.ts', import.meta.url),
);

const settingsFor = (issuer: string, planted: boolean): object => ({
  server: { port: 0 },
  admin: {
    port: 0,
    token: TOKEN,
    oidc: {
      issuer,
      clientId: 'koine',
      clientSecret: CLIENT_SECRET,
      roles: { admins: 'admin', editors: 'editor', staff: 'viewer', coders: 'developer' },
    },
    personalKeys: { projects: { '*': 'acme/web' }, maxKeys: 5, maxLifetime: '30d' },
  },
  store: { database: 'sqlite:./koine.db' },
  providers: {
    simulator: { use: 'simulator' },
    openai: { use: 'openai', config: { apiKey: UPSTREAM_SECRET, baseUrl: 'http://127.0.0.1:9/v1' } },
  },
  models: { 'simulator/chat': { targets: [{ provider: 'simulator', model: 'chat' }], price: { input: 1, output: 2 } } },
  organizations: {
    acme: { projects: { web: { keys: { alice: { key: KEY, limits: [{ requests: 60, per: '1m' }] } } } } },
  },
  plugins: [
    ...['metrics', 'auth', 'rate-limit', 'failover', 'cache-accounting', 'ledger', 'dashboard'].map((use) => ({ use })),
    ...(planted ? [{ use: PLUGIN }] : []),
  ],
});

/** A caller. Undefined role: none. */
interface Caller {
  readonly role: Role | undefined;
  readonly credentials: Readonly<Record<string, string>>;
}
const groups: Readonly<Record<Role, string>> = {
  developer: 'coders',
  viewer: 'staff',
  editor: 'editors',
  admin: 'admins',
};
const bearer = { 'authorization': `Bearer ${TOKEN}`, 'content-type': 'application/json' };

const openCallers = async (url: string, provider: FuzzProvider): Promise<readonly Caller[]> => {
  const callers: Caller[] = [
    { role: 'admin', credentials: { authorization: bearer.authorization } },
    { role: undefined, credentials: {} },
    { role: undefined, credentials: { cookie: 'koine_admin_1=x; koine_admin_1=y' } },
    { role: undefined, credentials: { authorization: `Basic ${Buffer.from(`a:${TOKEN}`).toString('base64')}` } },
    { role: undefined, credentials: { 'x-api-key': TOKEN } },
  ];
  for (const [role, group] of Object.entries(groups) as [Role, string][])
    callers.push({ role, credentials: { cookie: await signInAs(url, provider, role, [group]) } });
  return callers;
};

/** Every member of this name, wherever it is. */
const issuedIn = (text: string): readonly string[] =>
  [...text.matchAll(/"secret":"([^"]+)"/g)].flatMap(([, secret = '']) => secret);

class AdminTarget implements Target {
  readonly process: FuzzGateway;
  readonly #provider: FuzzProvider;
  readonly #report: ReportFinding;
  readonly #callers: readonly Caller[];
  readonly #calls: readonly AdminCall[];
  /** Secrets of keys that calls have created. Only the response to the call has them. */
  readonly #issued = new Set<string>();

  constructor(
    gateway: FuzzGateway,
    provider: FuzzProvider,
    report: ReportFinding,
    api: { readonly callers: readonly Caller[]; readonly calls: readonly AdminCall[] },
  ) {
    this.process = gateway;
    this.#provider = provider;
    this.#report = report;
    this.#callers = api.callers;
    this.#calls = api.calls;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.#provider.stop();
  }

  async play({ number, random }: FuzzCase): Promise<string> {
    const call = random.pick(this.#calls);
    const isKnown = random.chance(0.85);
    const caller = random.pick(this.#callers.filter(({ role }) => (role !== undefined) === isKnown));
    const name = `case-${number}`;
    const id = call.path.includes('{id}') ? await this.#createKey(call, name) : '';
    const request = makeAdminRequest(call, random, { id, name, credentials: caller.credentials });
    const before = await this.#listKeys();
    try {
      const reply = await sendFuzz(this.process.adminUrl, request);
      for (const flaw of this.#judge(request, reply, caller)) this.#report(flaw, number);
      if (reply.status >= 400 || !['POST', 'PATCH', 'DELETE'].includes(request.method ?? '')) {
        if ((await this.#listKeys()) !== before)
          this.#report(`${request.method} ${request.path} was answered ${reply.status}, and has changed keys`, number);
      }
      return String(reply.status);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) throw thrown;
      return 'closed';
    }
  }

  #judge({ method = '', path }: FuzzRequest, reply: FuzzReply, { role }: Caller): readonly string[] {
    const { status, text, headers } = reply;
    const what = `${method} ${path.slice(0, 200)} as ${role ?? 'no one'}: ${status}`;
    const isPage = path.startsWith('/admin/login') || status < 400;
    const flaw = method === 'HEAD' || isPage ? undefined : readErrorFlaw(reply);
    const leaked = [...secrets, ...this.#issued].find((secret) => (text + JSON.stringify(headers)).includes(secret));
    for (const secret of issuedIn(text)) this.#issued.add(secret);
    const least = leastRoleOf(method, path);
    const isAllowed = least === undefined || (role !== undefined && includes(role, least));
    return [
      ...(status >= 500 ? [`${what} ${text.slice(0, 300)}`] : []),
      ...(flaw === undefined || status >= 500 ? [] : [`${what}: ${flaw}`]),
      ...(leaked === undefined ? [] : [`${what}: a secret in the response: ${leaked.slice(0, 12)}…`]),
      ...(status < 300 && !isAllowed && method !== 'OPTIONS' ? [`${what} needs the role ${least}`] : []),
    ];
  }

  async #listKeys(): Promise<string> {
    const { text } = await sendFuzz(this.process.adminUrl, {
      method: 'GET',
      path: '/admin/keys',
      headers: bearer,
      pieces: [],
    });
    return text;
  }

  /** A key for a call about one. */
  async #createKey({ path }: AdminCall, name: string): Promise<string> {
    if (path.startsWith('/admin/requests')) return 'a-request';
    const isPersonal = path.startsWith('/admin/me');
    const { text } = await sendFuzz(this.process.adminUrl, {
      path: isPersonal ? '/admin/me/keys' : '/admin/keys',
      headers: isPersonal ? this.#personal() : bearer,
      pieces: [Buffer.from(JSON.stringify({ name: `${name}-a`, ...(isPersonal ? { project: 'acme/web' } : {}) }))],
    });
    for (const secret of issuedIn(text)) this.#issued.add(secret);
    return /"id":"([^"]+)"/.exec(text)?.[1] ?? 'none';
  }

  #personal(): Readonly<Record<string, string>> {
    const { credentials = {} } = this.#callers.find(({ role }) => role === 'developer') ?? {};
    return { ...credentials, 'content-type': 'application/json', 'x-koine-page': '1' };
  }
}

/** Random calls of the admin API, with callers of every role. */
export const admin: Surface = {
  name: 'admin',
  lanes: 1,
  casesPerTarget: 600,
  start: async ({ planted = false }: FuzzOptions, report) => {
    const provider = await startFuzzProvider();
    const settings = settingsFor(provider.issuer, planted);
    const gateway = await startFuzzGateway({ settings, report, secrets });
    const callers = await openCallers(gateway.adminUrl, provider);
    const { text } = await sendFuzz(gateway.adminUrl, {
      method: 'GET',
      path: '/admin/openapi.json',
      headers: bearer,
      pieces: [],
    });
    const calls = readCalls(text).filter(
      ({ method, path }) => !planted || path.includes('/planted/') || `${method} ${path}` === 'GET /admin/keys/{id}',
    );
    return new AdminTarget(gateway, provider, report, { callers, calls });
  },
};
