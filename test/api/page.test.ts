import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toLines } from './changes.ts';
import { isNewRelease, readFirstSection, readReleased, writeReleased } from './changelog.ts';
import { REGISTER, root } from './declarations.ts';
import { writePage } from './page.ts';
import { readSurface } from './surface.ts';

const PAGE = 'docs/reference/api.md';
const RELEASED = 'test/api/released.txt';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The TSDoc of the entry that exports nothing: its declarations have no comment. */
const readRegisterComment = (): string =>
  (/\/\*\*\n([^]*?)@example/.exec(read(REGISTER))?.[1] ?? '').replaceAll(/^ \* ?/gm, '');

describe('docs/reference/api.md', () => {
  it('docs/reference/api.md is what was written by `npm run docs:api`', function () {
    this.timeout(180_000);
    const surface = readSurface();
    const page = writePage(surface, readRegisterComment());
    const write = process.env['KOINE_WRITE_API'];
    if (write !== undefined) {
      writeFileSync(join(root, PAGE), page);
      const section = readFirstSection(read('CHANGELOG.md'));
      const released = readReleased(read(RELEASED));
      const { version } = isNewRelease(section, released) ? section : released;
      if (version !== released.version || write === 'released')
        writeFileSync(join(root, RELEASED), writeReleased({ version, lines: toLines(surface) }));
    }
    expect(read(PAGE) === page, `${PAGE} is stale: run \`npm run docs:api\``).to.equal(true);
  });
});

describe('a member of the API page', () => {
  const write = (text: string): string => {
    const member = { name: 'kind', declaration: 'readonly kind?: string;', comment: { text, examples: [] } };
    const comment = { text: 'A tool.', examples: [] };
    const declaration = 'interface Tool';
    const tool = { name: 'Tool', kind: 'interface' as const, file: 'tool.ts', declaration, comment, members: [member] };
    return writePage([{ name: 'entry', comment, exports: [tool] }], '');
  };

  it('has its whole first sentence, also after a colon', () => {
    expect(write('Absent: `all` of them. The list is sorted.')).to.contain('/** Absent: `all` of them. */');
    expect(write('For messages: The word, e.g. Search. More.')).to.contain(
      '/** For messages: The word, e.g. Search. */',
    );
  });
});
