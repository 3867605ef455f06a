import { fileURLToPath } from 'node:url';
import { KEY } from '../../../test/support/gateway.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { readErrorFlaw, sendFuzz, type FuzzReply, type FuzzRequest } from '../http.ts';
import { startFuzzProvider, type FuzzProvider } from '../identity/provider.ts';
import { makeToken } from '../identity/tokens.ts';
import { readGenuine, type Claims, type Expected } from '../identity/verify.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import type { Random } from '../random.ts';

const PLUGIN = fileURLToPath(new URL('../../../test/fixtures/extensions/planted-tokens/index.ts', import.meta.url));
const AUDIENCE = 'koine-api';
const models = ['simulator/a1', 'simulator/a2', 'simulator/b1'] as const;
/** Of tokens without the claim. */
const usualModels = ['simulator/a*'] as const;

const settingsFor = (issuer: string, planted: boolean): object => ({
  server: { port: 0 },
  admin: { port: 0 },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  models: Object.fromEntries(models.map((id) => [id, { targets: [{ provider: 'simulator', model: id.slice(10) }] }])),
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: [
    ...(planted ? [{ use: PLUGIN }] : []),
    {
      use: 'auth-jwt',
      config: {
        issuer,
        audience: AUDIENCE,
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        claims: { key: 'sub', organization: 'org', models: 'models', limits: 'limits' },
        defaults: { organization: 'acme', project: 'web', models: usualModels, limits: [] },
      },
    },
    { use: 'auth' },
  ],
});

/** How a pattern of models is written. */
const matches = (pattern: unknown, id: string): boolean =>
  typeof pattern === 'string' &&
  new RegExp(
    `^${pattern
      .split('*')
      .map((text) => RegExp.escape(text))
      .join('.*')}$`,
  ).test(id);
const allowedBy = ({ models: given = usualModels }: Claims): readonly string[] => {
  const patterns: readonly unknown[] = typeof given === 'string' ? given.split(/\s+/) : [given ?? usualModels].flat();
  return models.filter((id) => patterns.some((pattern) => matches(pattern, id)));
};

const makeClaims = (issuer: string, random: Random): Claims => {
  const now = Math.floor(Date.now() / 1_000);
  const usual = { iss: issuer, aud: AUDIENCE, sub: 'dora', iat: now, exp: now + 3_600 };
  if (random.chance(0.5)) return usual;
  return {
    ...usual,
    ...random.pick<() => Claims>([
      () => ({ models: random.pick([['simulator/b*'], 'simulator/a1 simulator/b1', [], '', [7], {}, ['*'], null]) }),
      () => ({ org: random.pick(['acme', 'other', 'ac/me', '', '__proto__', 'ａｃｍｅ', { x: 1 }, null]) }),
      () => ({ limits: random.pick([[], [{ requests: 0, per: '1m' }], 'x', [{ requests: 5, per: '1m' }], {}]) }),
      () => ({ aud: random.pick([[AUDIENCE], ['other', AUDIENCE]]) }),
      () => ({ sub: random.pick(['alice', 'web', 'acme/web/alice', 'дора', 'a b', '-', 'x'.repeat(200), '\n']) }),
    ])(),
  };
};

/** Where clients send keys. */
const present = (token: string, random: Random): Pick<FuzzRequest, 'path' | 'headers'> =>
  random.pick<() => Pick<FuzzRequest, 'path' | 'headers'>>([
    () => ({ path: '/v1/models', headers: { authorization: `Bearer ${token}` } }),
    () => ({ path: '/v1/models', headers: { authorization: `bEARER   ${token}` } }),
    () => ({ path: '/v1/models', headers: { 'x-api-key': token } }),
    () => ({ path: '/v1/models', headers: { 'x-goog-api-key': token } }),
    () => ({ path: `/v1/models?key=${encodeURIComponent(token)}`, headers: {} }),
  ])();

/** The most calls in this time. The cooldown of the plugin grows from a second to half a minute. */
const mostCalls = (seconds: number): number => 3 + Math.log2(1 + seconds) + seconds / 20;

class JwtTarget implements Target {
  readonly process: FuzzGateway;
  readonly #issuer: FuzzProvider;
  /** A server of the attacker. */
  readonly #evil: FuzzProvider;
  readonly #report: ReportFinding;
  readonly #started = performance.now();

  constructor(gateway: FuzzGateway, issuer: FuzzProvider, evil: FuzzProvider, report: ReportFinding) {
    this.process = gateway;
    this.#issuer = issuer;
    this.#evil = evil;
    this.#report = report;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.#issuer.stop();
    await this.#evil.stop();
  }

  async play({ number, random }: FuzzCase): Promise<string> {
    const { issuer, keys } = this.#issuer;
    const claims = makeClaims(issuer, random);
    const { token, isHonest } = makeToken(random, { keys, claims, evilUrl: this.#evil.issuer });
    const presented = present(token, random);
    const reply = await sendFuzz(this.process.url, { method: 'GET', ...presented, pieces: [] });
    const genuine = readGenuine(token, { issuer, audience: AUDIENCE, keys } satisfies Expected);
    const isOrdinary = isHonest && claims['sub'] === 'dora' && Object.keys(claims).length === 5;
    for (const flaw of judge(reply, genuine, isOrdinary))
      this.#report(`${flaw}: ${token.slice(0, 300)} ${reply.text.slice(0, 300)}`, number);
    this.#countCalls(number);
    return String(reply.status);
  }

  #countCalls(number: number): void {
    const keyCalls = this.#issuer.requested.get('/jwks') ?? 0;
    if (keyCalls > mostCalls((performance.now() - this.#started) / 1_000))
      this.#report(`${keyCalls} calls to the issuer for its keys`, number);
    if (this.#evil.requested.size > 0) this.#report('a call to a server that a token names', number);
    this.#evil.requested.clear();
  }
}

/** @param genuine the claims if the token is one of the issuer and valid @param isOrdinary it must be accepted */
function judge(reply: FuzzReply, genuine: Claims | undefined, isOrdinary: boolean): readonly string[] {
  const { status, text } = reply;
  const flaw = readErrorFlaw(reply);
  if (status !== 200)
    return [
      ...(status >= 500 && status !== 503 ? [`${status}`] : []),
      ...(flaw === undefined ? [] : [flaw]),
      ...(isOrdinary && status !== 503 ? [`a valid token is refused with ${status}`] : []),
    ];
  if (genuine === undefined) return ['a token is accepted that is not valid'];
  // Each wire has its own form of the list.
  const shown = models.filter((id) => text.includes(`${id}"`));
  const allowed = allowedBy(genuine);
  return shown.every((id) => allowed.includes(id)) ? [] : ['the token allows a model that it does not name'];
}

/** Random tokens of callers. */
export const jwt: Surface = {
  name: 'jwt',
  lanes: 4,
  casesPerTarget: 2_000,
  start: async ({ planted = false }, report, round) => {
    const [issuer, evil] = await Promise.all([startFuzzProvider(), startFuzzProvider()]);
    // In every other round the issuer never responds with its keys.
    if (round % 2 === 1)
      issuer.override = (path) => (path === '/jwks' ? { status: 500, text: '{"error":"x"}' } : undefined);
    const gateway = await startFuzzGateway({
      settings: settingsFor(issuer.issuer, planted),
      report,
      // The first token loads the code that verifies tokens.
      warmUp: ({ url }) => {
        const parts = [{ alg: 'RS256' }, { iss: issuer.issuer }, {}].map((part) => JSON.stringify(part));
        const token = parts.map((text) => Buffer.from(text).toString('base64url')).join('.');
        return sendFuzz(url, { method: 'GET', path: '/v1/models', headers: { 'x-api-key': token }, pieces: [] });
      },
    });
    return new JwtTarget(gateway, issuer, evil, report);
  },
};
