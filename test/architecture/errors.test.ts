import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { errorCodes } from '../../core/errors/codes.ts';
import { root } from './source-files.ts';

describe('docs/reference/errors.md', () => {
  const page = readFileSync(`${root}docs/reference/errors.md`, 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\d+|-) \|/gm)].map(([, code, status]) => ({ code, status }));

  it('the page of errors lists every code once, with its status', () => {
    const known = Object.entries(errorCodes).map(([code, { status }]) => ({
      code,
      status: code.startsWith('KOINE_') ? '-' : String(status),
    }));
    expect(listed).to.have.deep.members(known);
  });
});
