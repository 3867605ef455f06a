import { KEY } from '../../../test/support/gateway.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { sendFuzz, type FuzzReply } from '../http.ts';
import { startFuzzProvider, type FuzzProvider } from '../identity/provider.ts';
import { beginSignIn, cookiesOf, finishSignIn, isSession, signInAs } from '../identity/sign-in.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import type { Random } from '../random.ts';
import { plantFault } from './planted.ts';
import { grantedRole, makeAttempt, nextPages, roles, type Attempt } from './attempt.ts';

const TOKEN = 'admin-token-of-the-fuzzer-0123456789';
const CLIENT_SECRET = 'client-secret-of-the-fuzzer';
const settingsFor = (issuer: string, isAtProvider: boolean): object => ({
  server: { port: 0 },
  admin: {
    port: 0,
    token: TOKEN,
    oidc: {
      issuer,
      clientId: 'koine',
      clientSecret: CLIENT_SECRET,
      roles,
      signOut: isAtProvider ? 'provider' : 'gateway',
    },
  },
  store: { database: 'sqlite:./koine.db' },
  providers: { simulator: { use: 'simulator' } },
  organizations: { acme: { projects: { web: { keys: { alice: { key: KEY } } } } } },
  plugins: [{ use: 'auth' }, { use: 'dashboard' }],
});

interface Actor {
  readonly name: string;
  readonly role: string;
}
/** Names of actors that are not people. */
const TAKEN = /^\s*(?:token|loopback|cli:.*)\s*$/i;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescape = (text: string): string =>
  text.replaceAll(/&(\w+|#39);/g, (all, name: string) => entities[name] ?? all);

class SignInTarget implements Target {
  readonly process: FuzzGateway;
  readonly #provider: FuzzProvider;
  readonly #report: ReportFinding;
  /** The session of a person who takes no part in the cases. */
  readonly #bystander: string;
  /** The last sign-in of another browser. */
  #other = { cookie: '', state: '' };

  constructor(gateway: FuzzGateway, provider: FuzzProvider, report: ReportFinding, bystander: string) {
    this.process = gateway;
    this.#provider = provider;
    this.#bystander = bystander;
    this.#report = report;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await this.#provider.stop();
  }

  async play({ number, random, isPlanted }: FuzzCase): Promise<string> {
    const report = (what: string): void => this.#report(what, number);
    if (random.chance(0.15)) return this.#playForm(random, report);
    const begun = await beginSignIn(this.#url, random.pick(nextPages));
    if (!begun.location.startsWith(`${this.#provider.issuer}/auth?`)) report(`begins at ${begun.location}`);
    const attempt = makeAttempt(random, this.#provider, begun, this.#other);
    this.#provider.redeem = () => attempt.answer;
    const answered = await finishSignIn(this.#url, attempt.query, attempt.cookie);
    const reply = isPlanted ? plantFault(answered, number, this.#bystander) : answered;
    this.#other = { cookie: begun.cookie, state: begun.state };
    this.#judgePage(reply, report);
    await this.#judgeSession(reply, attempt, report);
    if (random.chance(0.3)) await this.#signOut(reply, random, report);
    if ((await this.#actorOf(this.#bystander)) === undefined) report('the session of another person has ended');
    return String(reply.status);
  }

  get #url(): string {
    return this.process.adminUrl;
  }

  /** Where a response leads, by redirect or page, and what it shows. */
  #judgePage(reply: FuzzReply, report: (what: string) => void, mayLeave = false): void {
    const { status, headers, text } = reply;
    if (status >= 500 && status !== 503) report(`${status}: ${text.slice(0, 300)}`);
    if ('x-injected' in headers) report('a header was injected');
    if (/<fuzz/i.test(text)) report(`the page has text of the request as HTML: ${text.slice(0, 300)}`);
    for (const secret of [CLIENT_SECRET, TOKEN, 'access-token-of-the-provider', 'eyJ'])
      if (text.includes(secret) && !mayLeave) report(`the page shows a secret: ${secret}`);
    const [, refresh] = /content="0; url=([^"]*)"/.exec(text) ?? [];
    for (const address of [headers.location, refresh === undefined ? undefined : unescape(refresh)]) {
      if (address === undefined || mayLeave) continue;
      const isHere = URL.canParse(address, this.#url) && new URL(address, this.#url).origin === this.#url;
      if (!isHere) report(`leads to ${address.slice(0, 200)}`);
    }
  }

  async #judgeSession(reply: FuzzReply, attempt: Attempt, report: (what: string) => void): Promise<void> {
    const session = cookiesOf(reply).find(isSession);
    const { mayOpen, isHonest, query } = attempt;
    const role = mayOpen && grantedRole(mayOpen);
    if (session === undefined) {
      if (isHonest && role !== undefined) report(`an honest sign-in is refused: ${reply.status} ${reply.text}`);
      return;
    }
    if (role === undefined) report(`a session that the provider did not grant: ${query.slice(0, 300)}`);
    const actor = await this.#actorOf(session);
    if (role !== undefined && actor?.role !== role) report(`the role ${String(actor?.role)}, not ${role}`);
    if (TAKEN.test((actor?.name ?? '').normalize('NFKC'))) report(`a person with the name ${actor?.name}`);
    if (attempt.cookie.includes(session)) report('the session existed before the sign-in');
  }

  /** The login with the admin token. */
  async #playForm(random: Random, report: (what: string) => void): Promise<string> {
    const token = random.pick([TOKEN, TOKEN, TOKEN, TOKEN, '', `${TOKEN} `, TOKEN.toUpperCase(), 'x'.repeat(9_000)]);
    const form = new URLSearchParams({ token, next: random.pick(nextPages) });
    if (random.chance(0.1)) form.append('token', TOKEN);
    const reply = await sendFuzz(this.#url, {
      path: '/admin/login',
      headers: { 'content-type': random.pick(['application/x-www-form-urlencoded', 'text/plain', '']) },
      pieces: [Buffer.from(String(form))],
    });
    this.#judgePage(reply, report);
    const session = cookiesOf(reply).find(isSession);
    if (session !== undefined && token !== TOKEN) report('a session without the admin token');
    if (session === undefined && token === TOKEN) report(`the admin token is refused: ${reply.status}`);
    return `form ${reply.status}`;
  }

  async #signOut(reply: FuzzReply, random: Random, report: (what: string) => void): Promise<void> {
    const session = cookiesOf(reply).find(isSession) ?? '';
    const [name = '', id = ''] = session.split('=');
    const cookie = random.pick([session, session, `${name}=${id.slice(1)}`, `${name}=`, `x=y; ${session}`, id]);
    const ended = await sendFuzz(this.#url, { path: '/admin/logout', headers: { cookie }, pieces: [] });
    this.#judgePage(ended, report, true);
    const isSent = session !== '' && cookie.endsWith(session);
    if (isSent && (await this.#actorOf(session)) !== undefined) report('the session lives on after the sign-out');
  }

  async #actorOf(session: string): Promise<Actor | undefined> {
    const headers = { cookie: session };
    const { status, text } = await sendFuzz(this.#url, { method: 'GET', path: '/admin/pages', headers, pieces: [] });
    return status === 200 ? (JSON.parse(text) as { readonly actor: Actor }).actor : undefined;
  }
}

/** Random ends of sign-ins at a hostile provider, sign-outs, and logins with the admin token. */
export const signIn: Surface = {
  name: 'sign-in',
  lanes: 1,
  casesPerTarget: 600,
  start: async (_options, report, round) => {
    const provider = await startFuzzProvider();
    const settings = settingsFor(provider.issuer, round % 2 === 1);
    const secrets = [CLIENT_SECRET, TOKEN, 'access-token-of-the-provider'];
    const gateway = await startFuzzGateway({ settings, report, secrets });
    const bystander = await signInAs(gateway.adminUrl, provider, 'bystander', ['coders']);
    return new SignInTarget(gateway, provider, report, bystander);
  },
};
