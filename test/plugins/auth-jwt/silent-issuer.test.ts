import { expect } from 'chai';
import { GatewayError, type Caller, type PluginInstance } from '../../../core/api/index.ts';
import { createTestHead, createTestServices } from '../../../core/testing/index.ts';
import { fetchService } from '../../../core/services/network/fetch.ts';
import { createSharedResources } from '../../../core/services/shared-resources.ts';
import plugin from '../../../plugins/auth-jwt/index.ts';
import { startIssuer, type Issuer } from './issuer.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** More than any cooldown could let through. */
const TOKENS = 40;

describe('tokens while the keys of their issuer were never read', () => {
  let issuer: Issuer;
  let forger: Issuer;
  let instance: PluginInstance;
  let passed = 0;
  // Whole, so that sums with it are exact.
  const start = Math.floor(performance.now());
  const clock = { now: () => Date.now() + passed, monotonic: () => start + passed };
  before(async () => {
    forger = await startIssuer();
  });
  after(() => forger.stop());
  beforeEach(async () => {
    passed = 0;
    issuer = await startIssuer();
    const { shared } = createSharedResources().createHolder();
    instance = await plugin.create(
      {
        issuer: issuer.url,
        audience: 'koine-api',
        algorithms: ['RS256', 'ES256'],
        clockSkew: '30s',
        claims: { key: 'sub' },
        defaults: {},
      },
      createTestServices({ clock, shared, fetch: fetchService }),
    );
  });
  afterEach(() => issuer.stop());

  let forged = 0;
  /** Each token is another one, and none has the signature of the issuer. */
  const forge = (): Promise<string> => forger.sign({ iss: issuer.url, jti: String((forged += 1)) });
  const identify = async (token: string): Promise<Caller | undefined> =>
    instance.identify?.(createTestHead({ headers: { authorization: `Bearer ${token}` } }));
  const refusalOf = async (token: string): Promise<GatewayError> => {
    try {
      await identify(token);
    } catch (thrown) {
      if (GatewayError.is(thrown)) return thrown;
      throw thrown;
    }
    throw new Error('The token was accepted.');
  };
  const forgeMany = async (): Promise<readonly GatewayError[]> => {
    const refusals: GatewayError[] = [];
    for (let sent = 0; sent < TOKENS; sent += 1) refusals.push(await refusalOf(await forge()));
    return refusals;
  };

  it('the issuer is called once, however many forged tokens arrive one after the other', async () => {
    issuer.status = 500;
    const refusals = await forgeMany();
    expect(issuer.calls).to.equal(1);
    expect(new Set(refusals.map(({ status }) => status))).to.deep.equal(new Set([503]));
    for (const { retryAfterMs } of refusals) expect(retryAfterMs).to.be.within(1, SECOND);
  });

  it('the issuer is called once for forged tokens that arrive together', async () => {
    issuer.status = 500;
    const tokens = await Promise.all(Array.from({ length: TOKENS }, forge));
    await Promise.all(tokens.map(refusalOf));
    expect(issuer.calls).to.equal(1);
  });

  it('where its metadata can be read and its keys cannot, each is called once', async () => {
    issuer.keysStatus = 500;
    await forgeMany();
    expect([issuer.calls, issuer.fetches]).to.deep.equal([2, 1]);
  });

  it('a token is accepted one second after the first failure, if the issuer is back', async () => {
    issuer.status = 500;
    await forgeMany();
    issuer.status = 200;
    const token = await issuer.sign();
    expect((await refusalOf(token)).status).to.equal(503);
    passed += SECOND;
    expect(await identify(token)).to.have.property('project', 'default');
    expect((await refusalOf(await forge())).status).to.equal(401);
  });

  it('the cooldown doubles with each failure, up to half a minute', async () => {
    issuer.status = 500;
    const at: number[] = [];
    for (; passed < 5 * MINUTE; passed += SECOND) {
      const before = issuer.calls;
      await refusalOf(await forge());
      if (issuer.calls > before) at.push(passed / SECOND);
    }
    expect(at.slice(0, 8)).to.deep.equal([0, 1, 3, 7, 15, 31, 61, 91]);
    expect(at).to.have.length(14);
    issuer.status = 200;
    passed += 30 * SECOND;
    expect(await identify(await issuer.sign())).to.have.property('project', 'default');
  });

  it('after an outage of more than a day, when known keys have become too old, the same applies', async () => {
    await identify(await issuer.sign());
    issuer.status = 500;
    passed += 25 * 60 * MINUTE;
    const before = issuer.calls;
    await forgeMany();
    expect(issuer.calls - before).to.equal(1);
  });
});
