import { expect } from 'chai';
import { checkEntra, completeEntra, type EntraSettings } from '../../../../providers/identity/entra/settings.ts';

const SCOPE = 'https://vendor.example/.default';
const complete = (settings: EntraSettings, environment = {}) => completeEntra(settings, SCOPE, environment);
const app = { tenantId: 't', clientId: 'c' } as const;

describe('the settings of an identity at Microsoft Entra ID', () => {
  it('an empty setting makes the credential unavailable, and the reason names it', () => {
    const incomplete: readonly (readonly [EntraSettings, string])[] = [
      [{ identity: 'client-secret', ...app, clientSecret: ' ' }, 'entra.clientSecret is empty'],
      [{ identity: 'client-secret', clientId: 'c', clientSecret: 's' }, 'entra.tenantId is empty'],
      [{ identity: 'certificate', ...app }, 'entra.certificate is empty'],
      [{ identity: 'workload', ...app }, 'AZURE_FEDERATED_TOKEN_FILE is not in the environment'],
    ];
    for (const [settings, reason] of incomplete) expect(complete(settings).unavailable).to.contain(reason);
    expect(complete({ identity: 'managed' }).unavailable).to.equal(undefined);
    expect(complete({ identity: 'client-secret', ...app, clientSecret: 's' }).unavailable).to.equal(undefined);
  });

  it('only a workload reads the variables of the environment, and its settings take precedence', () => {
    const environment = { AZURE_TENANT_ID: 'env-t', AZURE_CLIENT_ID: 'env-c', AZURE_FEDERATED_TOKEN_FILE: '/token' };
    expect(complete({ identity: 'workload', clientId: 'own' }, environment).settings).to.include({
      tenantId: 'env-t',
      clientId: 'own',
      assertionFile: '/token',
      scope: SCOPE,
      authority: 'https://login.microsoftonline.com',
    });
    expect(complete({ identity: 'client-secret' }, environment).settings.tenantId).to.equal('');
    expect(complete({ identity: 'managed' }, environment).settings.clientId).to.equal('');
  });

  it('a setting that the identity does not use is a finding with its path', () => {
    const finding = checkEntra({ identity: 'managed', clientId: 'c', clientSecret: 's' });
    expect(finding.map(({ path }) => path)).to.deep.equal([['entra', 'clientSecret']]);
    expect(finding[0]?.message).to.contain("identity 'managed' does not use clientSecret");
    expect(checkEntra({ identity: 'client-secret', ...app, clientSecret: 's', scope: 'x' })).to.deep.equal([]);
  });
});
