import type { ImportNote, Translation } from '../../extensions/importer.ts';
import { describePath } from '../../config/describe-path.ts';
import type { Source } from '../../config/read/source.ts';
import { writeCommented, type Comment } from '../../config/write/write-commented.ts';
import { SCHEMA_FILE } from '../schema.ts';

const lineOf = (source: Source, { from }: ImportNote): number => source.findKey(from).line;

/** `config.yaml:12 general_settings.alerting: …`, without the source frame, which may show a secret. */
export const formatNote = (source: Source, note: ImportNote): string =>
  `${source.file}:${lineOf(source, note)} ${describePath(note.from)}: ${note.isError ? 'error: ' : ''}${note.text}`;

/** In the order of the source. */
export const arrangeNotes = (source: Source, notes: readonly ImportNote[]): readonly ImportNote[] =>
  notes.toSorted((one, other) => lineOf(source, one) - lineOf(source, other));

/** The result as a file. Each note is a comment above the setting that it is about. */
export function writeResult(source: Source, title: string, { settings, notes }: Translation): string {
  // Several deployments often have the same note.
  const alike = Map.groupBy(arrangeNotes(source, notes), ({ to = [], text }) => JSON.stringify([to, text]));
  const comments = [...alike.values()].flatMap(([first, ...others]): readonly Comment[] => {
    if (first === undefined) return [];
    const places = [first, ...others].map((note) => `${describePath(note.from)} (line ${lineOf(source, note)})`);
    return [{ path: first.to ?? [], text: `${places.join(', ')}: ${first.text}` }];
  });
  const head =
    `Imported from ${source.file} of ${title}. "koine check" lists its problems. ` +
    'Each note of the import is above the setting that it is about; notes without a setting here follow.';
  const yaml = writeCommented(settings, [{ path: [], text: head }, ...comments]);
  return `# yaml-language-server: $schema=./${SCHEMA_FILE}\n#\n${yaml}`;
}
