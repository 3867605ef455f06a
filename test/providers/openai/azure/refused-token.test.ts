import { expect } from 'chai';
import { createTestServices } from '../../../../core/testing/services.ts';
import azure from '../../../../providers/openai/azure/index.ts';
import { fakeToken, startIdentityServer } from '../../../support/identity-server.ts';
import { until } from '../../../support/until.ts';

describe('Azure OpenAI: a token that the resource refuses', () => {
  it('a 401 of the resource renews the token before its end, and calls have the new one', async () => {
    const identity = await startIdentityServer();
    const closers: (() => void)[] = [];
    let later = 0;
    const services = createTestServices({
      clock: { now: () => Date.now() + later, monotonic: () => performance.now() },
      shared: (_key, create, dispose) => {
        const value = create();
        closers.push(() => void dispose?.(value));
        return value;
      },
    });
    try {
      const entra = {
        identity: 'client-secret',
        tenantId: 'acme.example',
        clientId: 'app-1',
        clientSecret: 'secret',
        authority: identity.url,
      } as const;
      const made = await azure.create({ endpoint: 'https://acme.openai.azure.com', entra }, services);
      const [wire] = made.endpoint('gpt-4.1').wires;
      const signal = new AbortController().signal;
      const call = {
        model: 'gpt-4.1',
        stream: false,
        body: Buffer.from('{}'),
        headers: {},
        credential: 'entra',
        signal,
      };
      const tokenOf = async () => (await wire?.buildRequest(call))?.headers['authorization'];
      expect(await tokenOf()).to.equal(`Bearer ${fakeToken('token-1')}`);
      later = 60_000;
      expect(wire?.classify?.({ status: 429, headers: {}, body: {} })).to.equal(undefined);
      expect(await tokenOf()).to.equal(`Bearer ${fakeToken('token-1')}`);
      wire?.classify?.({ status: 401, headers: {}, body: { error: { code: '401', message: 'Token is revoked.' } } });
      await until('the renewed token', async () => (await tokenOf()) === `Bearer ${fakeToken('token-2')}`);
      expect(identity.calls).to.have.length(2);
    } finally {
      for (const close of closers) close();
      await identity.stop();
    }
  });
});
