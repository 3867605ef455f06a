import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);

interface Row {
  readonly number: number;
  readonly files: readonly string[];
}

/** `| 4 | … | \`file\`, \`file\` |` */
const rows: readonly Row[] = readFileSync(at('docs/reference/faults.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const number = /^\| (\d+) \|/.exec(line)?.[1];
    return number === undefined
      ? []
      : [{ number: Number(number), files: [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file) }];
  });

describe('docs/reference/faults.md', () => {
  it('the page of faults lists every fault of providers and clients in order', () => {
    expect(rows.map(({ number }) => number).filter((number) => number <= 36)).to.deep.equal(
      Array.from({ length: 36 }, (_, index) => index + 1),
    );
  });

  for (const { number, files } of rows) {
    for (const file of files)
      it(`fault ${number} is shown in ${file}`, () => expect(existsSync(at(file))).to.equal(true));
  }
});
