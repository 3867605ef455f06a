import { ADMIN_TOKEN, GROUP, patchOf, SCIM_TOKEN, settingsOf, USER } from '../../../test/scim/scim-gateway.ts';
import { KEY } from '../../../test/support/gateway.ts';
import { startFuzzGateway, type FuzzGateway } from '../gateway.ts';
import { isRefusedBody, plantFault, PROMPT_MS, sendFuzz, type FuzzReply, type FuzzRequest } from '../http.ts';
import type { FuzzCase, ReportFinding, Surface, Target } from '../play.ts';
import { makeScimRequest, type Resource } from './requests.ts';

const settings = settingsOf('https://login.acme.example', { unknownUsers: 'allow' });
const secrets = [SCIM_TOKEN, ADMIN_TOKEN, settings.admin.oidc.clientSecret] as const;
const headers = { 'authorization': `Bearer ${SCIM_TOKEN}`, 'content-type': 'application/scim+json' };

/** What is wrong with the body of a refusal: https://www.rfc-editor.org/rfc/rfc7644#section-3.12 */
const readScimFlaw = ({ status, text }: FuzzReply): string | undefined => {
  try {
    const body = JSON.parse(text) as { readonly status?: unknown; readonly detail?: unknown } | null;
    if (body?.status === String(status) && typeof body.detail === 'string' && !/\n\s+at /.test(body.detail))
      return body.detail === '' ? 'an error without a text' : undefined;
  } catch {
    // Described below.
  }
  return `${status} without a SCIM error in its body: ${text.slice(0, 300)}`;
};

class ScimTarget implements Target {
  readonly process: FuzzGateway;
  readonly #report: ReportFinding;

  constructor(gateway: FuzzGateway, report: ReportFinding) {
    this.process = gateway;
    this.#report = report;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }

  async play({ number, random, isPlanted }: FuzzCase): Promise<string> {
    const user = await this.#create('/Users', { schemas: [USER], userName: `case-${number}@acme.example` });
    const group = await this.#create('/Groups', {
      schemas: [GROUP],
      displayName: `case-${number}`,
      members: [{ value: user }],
    });
    const request = makeScimRequest(random, { name: `case-${number}`, user, group });
    const paths = [`/Users/${user}`, `/Groups/${group}`];
    const before = await Promise.all(paths.map((path) => this.#read(path)));
    try {
      const sent = await sendFuzz(
        this.process.adminUrl,
        { ...request, headers: { ...headers, ...request.headers } },
        PROMPT_MS,
      );
      const reply = isPlanted ? plantFault(sent, number, SCIM_TOKEN) : sent;
      for (const flaw of this.#judge(request, reply)) this.#report(flaw, number);
      if (reply.status >= 400 && (await Promise.all(paths.map((path) => this.#read(path)))).join() !== before.join())
        this.#report(`${request.method} ${request.path}: ${reply.status}, and something has changed`, number);
      return String(reply.status);
    } catch (thrown) {
      if (!isRefusedBody(thrown)) throw thrown;
      return 'closed';
    } finally {
      await Promise.all(paths.map((path) => this.#send('DELETE', path)));
    }
  }

  /** An endpoint that this gateway does not have is 501. */
  #judge({ method = '', path }: FuzzRequest, reply: FuzzReply): readonly string[] {
    const { status, text } = reply;
    const what = `${method} ${path.slice(0, 200)}: ${status}`;
    const flaw = status < 400 || method === 'HEAD' ? undefined : readScimFlaw(reply);
    return [
      ...(status >= 500 && status !== 501 ? [`${what} ${text.slice(0, 300)}`] : []),
      ...(flaw === undefined ? [] : [`${what}: ${flaw}`]),
      ...(secrets.some((secret) => (text + JSON.stringify(reply.headers)).includes(secret))
        ? [`${what}: a secret`]
        : []),
    ];
  }

  #send(method: string, path: string, body?: object): Promise<FuzzReply> {
    const pieces = body === undefined ? [] : [Buffer.from(JSON.stringify(body))];
    return sendFuzz(this.process.adminUrl, { method, path: `/scim/v2${path}`, headers, pieces });
  }

  async #create(path: Resource, body: object): Promise<string> {
    const { text } = await this.#send('POST', path, body);
    return (JSON.parse(text) as { readonly id?: string }).id ?? 'none';
  }

  async #read(path: string): Promise<string> {
    return (await this.#send('GET', path)).text;
  }
}

/** Random requests of a directory, about a user and a group of their own. */
export const scim: Surface = {
  name: 'scim',
  lanes: 1,
  casesPerTarget: 600,
  start: async (_options, report) => {
    const gateway = await startFuzzGateway({
      settings: {
        ...settings,
        organizations: { acme: { projects: { sandbox: { keys: { alice: { key: KEY } } } } } },
        server: { port: 0 },
        store: { database: 'sqlite:./koine.db' },
        plugins: ['auth', 'rate-limit', 'ledger'].map((use) => ({ use })),
      },
      report,
      secrets,
      warmUp: ({ adminUrl }) =>
        sendFuzz(adminUrl, {
          method: 'PATCH',
          path: '/scim/v2/Users/none',
          headers,
          pieces: [Buffer.from(JSON.stringify(patchOf()))],
        }),
    });
    return new ScimTarget(gateway, report);
  },
};
