import { expect } from 'chai';
import { fuzzClean } from './clean.ts';

describe('the fuzzer of the sign-in', function () {
  this.timeout(480_000);

  it('finds nothing in random ends of sign-ins at a hostile provider, and then sessions that nothing has granted, refused sign-ins, redirects to other sites, and injected text', async () => {
    const outcomes = ['200', '400', '403', 'form 303'];
    const found = await fuzzClean('sign-in', { clean: 100, planted: 150, outcomes });
    for (const fault of [
      /a session that the provider did not grant/,
      /an honest sign-in is refused/,
      /leads to https:\/\/evil\.example/,
      /leads to \/\/evil\.example/,
      /a header was injected/,
      /text of the request as HTML/,
    ])
      expect(found).to.match(fault);
  });
});
