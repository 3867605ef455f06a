import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { root } from '../../tools/release/lockfile.ts';

describe('SECURITY.md', () => {
  const page = readFileSync(`${root}SECURITY.md`, 'utf8');
  const parties = ['Client', 'Tenant', 'Operator', 'Extension', 'Vendor', 'Store'];

  for (const party of parties) {
    it(`the security page names existing pages and tests for the boundary of the ${party.toLowerCase()}`, () => {
      const section = page.split(/^### /m).find((text) => text.startsWith(`${party}\n`)) ?? '';
      const tests = [...section.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
      const pages = [...section.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, path = '']) => path);
      expect(tests).to.not.be.empty;
      expect(pages).to.not.be.empty;
      expect([...tests, ...pages].filter((path) => !existsSync(`${root}${path}`))).to.deep.equal([]);
    });
  }

  it('the security page has the way to report, the supported versions and the policy', () => {
    for (const word of ['Report a vulnerability', 'Supported versions', '90-day policy', 'CVE process']) {
      expect(page).to.contain(word);
    }
  });
});
