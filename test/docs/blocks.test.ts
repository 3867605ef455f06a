import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, readPage, root, type Page } from './pages.ts';

/** What a reader only reads. Everything else is run, by a reader or by a program. */
const READ_ONLY = new Set(['', 'text', 'json', 'mermaid', 'http', 'diff']);
const CHECKED_WITHOUT_MARK = new Set(['yaml', 'ts']);
const MARKS = new Set(['run', 'file', 'output', 'test', 'untested']);

const findProblem = (page: string, { language, marks }: Page['blocks'][number]): string | undefined => {
  const { run, file, test, untested } = marks;
  const unknown = Object.keys(marks).find((name) => !MARKS.has(name));
  if (unknown !== undefined) return `"${unknown}" is not a mark`;
  if (['bash', 'shell', 'console', 'zsh'].includes(language)) return `write sh instead of ${language}`;
  if (run !== undefined && language !== 'sh') return 'only blocks of sh can be run';
  if (untested === '') return 'untested needs a reason in quotes';
  if (test !== undefined && !(existsSync(join(root, test)) && readFileSync(join(root, test), 'utf8').includes(page)))
    return `${test} does not exist, or does not contain ${page}`;
  if (READ_ONLY.has(language) || CHECKED_WITHOUT_MARK.has(language)) return undefined;
  return (run ?? file ?? test ?? untested) === undefined
    ? `a block of ${language} needs run, test=FILE or untested="REASON" (test/docs/README.md)`
    : undefined;
};

const findProblems = ({ path, blocks }: Page): readonly string[] =>
  blocks.flatMap((block) => {
    const problem = findProblem(path, block);
    return problem === undefined ? [] : [`${path}:${block.line}: ${problem}`];
  });

describe('blocks of the pages', () => {
  it('the check of marks recognises a missing mark, an unknown one, and a test that does not name the page', () => {
    const infos = ['sh', 'sh runs', 'sh untested', 'sh run', 'python', 'yaml', 'json', 'sh test=test/docs/pages.ts'];
    const page = readPage('page.md', infos.map((info) => `\`\`\`${info}\nkoine\n\`\`\`\n`).join('\n'));
    expect(findProblems(page).map((problem) => problem.split(' ').slice(0, 4).join(' '))).to.deep.equal([
      'page.md:1: a block of',
      'page.md:5: "runs" is not',
      'page.md:9: untested needs a',
      'page.md:17: a block of',
      'page.md:29: test/docs/pages.ts does not',
    ]);
  });

  it('a mark of the page applies to the blocks without marks', () => {
    const page = readPage('page.md', '<!-- untested="why" -->\n```python\n1\n```\n```sh runs\n2\n```\n');
    expect(findProblems(page)).to.deep.equal(['page.md:5: "runs" is not a mark']);
  });

  it('each block of commands or code is run, is tested elsewhere, or has the reason why it is not', () => {
    expect(documents.flatMap(findProblems)).to.deep.equal([]);
  });

  it('each block of JSON is valid', () => {
    const invalid = documents.flatMap(({ path, blocks }) =>
      blocks.flatMap(({ language, line, text }) => {
        if (language !== 'json') return [];
        try {
          JSON.parse(text);
          return [];
        } catch (error) {
          return [`${path}:${line}: ${String(error)}`];
        }
      }),
    );
    expect(invalid).to.deep.equal([]);
  });
});
