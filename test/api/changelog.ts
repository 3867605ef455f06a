import { compareLines, describeChanges, findUnnamed, readLines, writeLines, type Lines } from './changes.ts';

/** The first section of CHANGELOG.md. */
export interface Section {
  readonly title: string;
  readonly version: string;
  readonly isReleased: boolean;
  readonly text: string;
}

/** The surface of the last release, with which the first section of CHANGELOG.md is compared. */
export interface Released {
  readonly version: string;
  readonly lines: Lines;
}

export function readFirstSection(changelog: string): Section {
  const [, title = '', text = ''] = /^## (.*)\n((?:(?!## ).*\n)*)/m.exec(changelog) ?? [];
  const version = /^\d+\.\d+\.\d+[^\s,]*/.exec(title)?.[0];
  if (version === undefined)
    throw new Error(`The first section of CHANGELOG.md must begin with a version: '## 1.2.0, not released yet'.`);
  return { title, version, isReleased: !title.endsWith(', not released yet'), text };
}

const HEADER = 'The public API of version ';

export const writeReleased = ({ version, lines }: Released): string =>
  `# ${HEADER}${version}. Written by \`npm run docs:api\`; test/api/README.md says when.\n${writeLines(lines)}`;

export function readReleased(text: string): Released {
  const version = /^# The public API of version (\S+)\. /.exec(text)?.[1];
  if (version === undefined) throw new Error('The first line of test/api/released.txt must name a version.');
  return { version, lines: readLines(text) };
}

/** Whether the surface of a release has to be written: the first section has become one. */
export const isNewRelease = (section: Section, released: Released): boolean =>
  section.isReleased && section.version !== released.version;

/** @returns what is missing in the changelog, and what to do; undefined if every change is named */
export function checkChangelog(section: Section, released: Released, lines: Lines): string | undefined {
  if (isNewRelease(section, released))
    return `CHANGELOG.md says that ${section.version} is released: run \`npm run docs:api\`, which keeps its public API.`;
  const changes = compareLines(released.lines, lines);
  const unnamed = section.isReleased ? changes : findUnnamed(changes, section.text);
  if (unnamed.length === 0) return undefined;
  const place = section.isReleased
    ? `Add a section '## <next version>, not released yet' at the top, with a list entry`
    : `Add a list entry to the section '${section.title}'`;
  return `The public API has changed since version ${released.version}, and CHANGELOG.md does not name:

${describeChanges(unnamed)}

${place}
that says what authors of extensions gain or must change. It has each export above, and its member, in code
marks: \`Usage.output\`, or \`Usage\` and \`output\`. One list entry can name several.`;
}
