import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readApiKeys } from '../../../core/dispatch/credentials/api-keys.ts';
import { createTestServices } from '../../../core/testing/services.ts';

const services = createTestServices();
const versions = (...apiKeys: readonly string[]) =>
  readApiKeys({ apiKeys }, services).credentials.map(({ version }) => version);

describe('the version of an API key', () => {
  it('the version of an API key changes with the key, and with nothing else', () => {
    const [first, second] = versions('one-secret', 'two-secret');
    expect(first).to.be.a('string').and.not.equal(second);
    expect(versions('two-secret', ' one-secret ')).to.deep.equal([second, first]);
    expect(readApiKeys({}, services).credentials[0]).to.not.have.property('version');
  });

  it('the version of an API key differs in every process, so that it says nothing about the key', () => {
    const file = fileURLToPath(new URL('../../../core/extensions/renewed-credential.ts', import.meta.url));
    const code = `import { versionSecret } from ${JSON.stringify(file)}; console.log(versionSecret('one-secret'));`;
    const other = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim();
    expect(other).to.have.length(43).and.not.equal(versions('one-secret')[0]);
  });
});
