import { expect } from 'chai';
import { compare, correct, parsePage, readPages, writePage } from './list.ts';
import { openTypes, type Declarations } from './read-types.ts';
import { surfaces } from './surfaces/index.ts';
import { treatAll } from './treatment.ts';

/** A name that a made-up version of an SDK adds. */
interface Addition {
  readonly title: string;
  readonly file: Declarations;
  readonly edit: readonly [from: RegExp, to: string];
  readonly surface: readonly [wire: string, name: string];
  readonly path: string;
}

const additions: readonly Addition[] = [
  {
    title: 'a member of a request',
    file: 'chat',
    edit: [/$/, '\nexport interface ChatCompletionCreateParamsBase { koine_new?: string }\n'],
    surface: ['chat-completions', 'request'],
    path: '.koine_new',
  },
  {
    title: 'a member inside a member of a request',
    file: 'google',
    edit: [/$/, '\nexport declare interface ThinkingConfig { koineNew?: number }\n'],
    surface: ['generate-content', 'request generationConfig'],
    path: '.thinkingConfig.koineNew',
  },
  {
    title: 'a type of content',
    file: 'betaMessages',
    edit: [/export type BetaContentBlockParam = /, "$&{ type: 'koine_new'; text: string } | "],
    surface: ['messages', 'request blocks'],
    path: '[koine_new]',
  },
  {
    title: 'a type of item',
    file: 'responses',
    edit: [/export type ResponseOutputItem = /, "$&{ type: 'koine_new_call'; id: string } | "],
    surface: ['responses', 'response items'],
    path: '[koine_new_call]',
  },
  {
    title: 'an event of a stream',
    file: 'responses',
    edit: [/export type ResponseStreamEvent = /, "$&{ type: 'response.koine_new.delta'; delta: string } | "],
    surface: ['responses', 'stream events'],
    path: '[response.koine_new.delta]',
  },
  {
    title: 'a type of tool',
    file: 'betaMessages',
    edit: [/export type BetaToolUnion = /, "$&{ type: 'koine_new_20270101'; name: 'new' } | "],
    surface: ['messages', 'request tools'],
    path: '[koine_new_20270101]',
  },
  {
    title: 'a reason why an answer ends',
    file: 'google',
    edit: [/export declare enum FinishReason \{/, "$& KOINE_NEW = 'KOINE_NEW',"],
    surface: ['generate-content', 'response candidates'],
    path: '.finishReason=KOINE_NEW',
  },
  {
    title: 'an error code',
    file: 'shared',
    edit: [/export type ErrorDetails = /, "$&{ error_code: 'koine_new' } | "],
    surface: ['messages', 'error codes'],
    path: '[koine_new]',
  },
  {
    title: 'a member of usage',
    file: 'responses',
    edit: [/$/, '\nexport interface ResponseUsage { koine_new?: number }\n'],
    surface: ['responses', 'usage'],
    path: '.koine_new',
  },
];

describe('names that an SDK adds', function () {
  this.timeout(120_000);

  it('a name of each kind is found in an SDK that adds it, and nothing else is', () => {
    const pages = readPages();
    const types = openTypes({
      edit: (file, text) =>
        additions
          .filter((addition) => addition.file === file)
          .reduce((edited, { title, edit: [from, to] }) => {
            expect(from.test(edited), `${title}: ${String(from)} is not in the declarations of ${file}`).to.equal(true);
            return edited.replace(from, to);
          }, text),
    });
    try {
      for (const {
        title,
        surface: [wire, name],
        path,
      } of additions) {
        const surface = surfaces.find((one) => one.wire === wire && one.name === name)!;
        const list = pages.get(surface.wire)?.sections.get(name) ?? [];
        const [problem = '', ...others] = compare(treatAll(surface, types), list);
        expect(problem, title).to.include(`${path}: the SDK declares it, and the gateway does not know it`);
        expect(others, title).to.deep.equal([]);
      }
    } finally {
      types.close();
    }
  });

  const page = parsePage('# A page\n\n## request\n\n- named: a reason: with a colon: `.a` `.b`\n  `.c` `.d`\n');
  const entries = page.sections.get('request') ?? [];
  const found = new Map([
    ['.a', 'known'],
    ['.b', 'left out'],
    ['.c', 'named'],
  ] as const);

  it('an entry fails when its name is gone, known by now, or treated in another way', () => {
    expect(compare(found, entries)).to.deep.equal([
      ".a: listed as 'named', and it is known",
      ".b: listed as 'named', and it is 'left out'",
      '.d: the SDK does not declare it, or it is inside something on the list',
    ]);
  });

  it('corrected entries keep their reason, and nothing is wrong with them', () => {
    const corrected = correct(found, entries);
    expect(compare(found, corrected)).to.deep.equal([]);
    expect(writePage({ ...page, sections: new Map([['request', corrected]]) })).to.equal(
      '# A page\n\n## request\n\n- named: a reason: with a colon: `.c`\n- left out: a reason: with a colon: `.b`\n',
    );
  });

  it('an entry without a reason, and a name that is listed twice, are refused', () => {
    expect(() => parsePage('## request\n\n- named: `.a`\n')).to.throw('Not ');
    expect(() => parsePage('## request\n\n- named: why: `.a`\n- left out: why: `.a`\n')).to.throw('listed twice');
  });
});
