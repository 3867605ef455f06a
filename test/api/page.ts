import type { Comment, Exported, Member } from './read-declaration.ts';
import { UNNAMED, type Entry } from './surface.ts';

const INTRODUCTION = `# Public API

<!-- test=test/api/page.test.ts -->

What extensions import from \`koine-gateway\`: each export with its declaration, and the first sentence on each member.
The sources have the whole text, with examples, and editors show it. [Extend](../extend/README.md) starts from what you
want to do.

\`npm run docs:api\` writes this page from the declarations of the package, and a test fails when it is outdated. Another
test fails when the API changes and [CHANGELOG.md](../../CHANGELOG.md) does not name the change
([test/api](../../test/api/README.md)).
`;

const REGISTER_NOTE = 'Imported for its effect alone: it exports nothing.';
const UNNAMED_NOTE = 'Types to which the exports refer, and which no entry exports. They are part of the promise too.';

/** Without links of TSDoc, on one line. */
const flatten = (text: string): string =>
  text
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Up to the first full stop that ends a sentence. */
const firstSentence = ({ text }: Comment): string =>
  /^.*?(?<!\b(?:e\.g|i\.e))[.!?](?= [A-Z`]|$)/.exec(flatten(text))?.[0] ?? flatten(text);

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const writeMember = ({ declaration, comment }: Member): string => {
  const sentence = firstSentence(comment);
  return indent(`${sentence === '' ? '' : `/** ${sentence} */\n`}${declaration}`);
};

const writeDeclaration = ({ kind, declaration, members }: Exported): string => {
  if (kind !== 'interface' && kind !== 'class') return declaration;
  return members.length === 0 ? `${declaration} {}` : `${declaration} {\n${members.map(writeMember).join('\n')}\n}`;
};

function writeExport(exported: Exported): string {
  const { name, kind, file, declaration, comment } = exported;
  if (kind === 're-export') return `### ${name}\n\nRe-exported ${declaration}.\n`;
  const text = flatten(comment.text);
  const about = `${kind === 'interface' ? 'Interface' : kind[0]?.toUpperCase() + kind.slice(1)} in [${file}](../../${file}).`;
  return `### ${name}\n\n${about}${text === '' ? '' : ` ${text}`}\n\n\`\`\`ts\n${writeDeclaration(exported)}\n\`\`\`\n`;
}

const writeEntry = ({ name, comment, exports }: Entry): string => {
  const text = flatten(comment.text).replace(/^`[^`]+`: (.)/, (_, first: string) => first.toUpperCase());
  const about = name === UNNAMED ? UNNAMED_NOTE : text;
  const title = name === UNNAMED ? 'Not exported' : name;
  return [`## ${title}\n`, ...(about === '' ? [] : [`${about}\n`]), ...exports.map(writeExport)].join('\n');
};

/** GitHub's anchors ignore case: the second heading of the same letters gets a number. */
function createAnchors(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const anchor = name.toLowerCase();
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}

function writeIndex(surface: readonly Entry[]): string {
  const anchorOf = createAnchors();
  const rows = surface.map(({ name, exports }) => {
    const links = exports.map((exported) => `[${exported.name}](#${anchorOf(exported.name)})`);
    return `| ${name === UNNAMED ? name : `\`${name}\``} | ${links.join(', ')} |`;
  });
  return `| entry | exports |\n|---|---|\n${rows.join('\n')}\n`;
}

/** @param register the TSDoc of the entry without exports */
export const writePage = (surface: readonly Entry[], register: string): string =>
  [
    INTRODUCTION,
    writeIndex(surface),
    ...surface.map(writeEntry),
    `## koine-gateway/register\n\n${flatten(register).replace(/^The entry `[^`]+`: m/, 'M')} ${REGISTER_NOTE}\n`,
  ].join('\n');
