import type { Block } from './pages.ts';

/** The marks of the blocks in README.md, by their first lines, because the source of that page has none. */
const marks: Readonly<Record<string, Block['marks']>> = {
  'npm run koine -- keys create --name alice --organization acme --project web --limit requests=60/1m   # prints the secret once':
    { untested: 'ID stands for the id of a key; docs/reference/admin.md runs these commands' },
  'npm run koine -- check --audit              # with advice for a security review': {
    untested: 'new.yaml and mine.ts are files of the reader; the pages of docs/ run these commands',
  },
  'npm test          # all tests; those that need redis-server, postgresql, chromium or promtool are skipped without them':
    { untested: 'takes minutes to hours; .ci/run runs npm test, check, corpus, licenses and sbom' },
};

/** A block of README.md that has no entry is run. */
export const marksOfReadme = ({ language, text }: Block): Block['marks'] =>
  marks[text.split('\n')[0] ?? ''] ?? (language === 'sh' ? { run: '' } : {});
