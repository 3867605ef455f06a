import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { insertModels } from '../../config/write/insert-models.ts';
import { MisuseError } from '../command.ts';
import { describeWriteFailure } from '../write-new-file.ts';
import type { ProposedModel } from './propose.ts';
import { writeEntries } from './write-proposal.ts';

/** Replaces the file at once, so that a running gateway never reads half of it. @throws MisuseError */
export async function addModels(file: string, models: readonly ProposedModel[]): Promise<void> {
  const text = insertModels(await readFile(file, 'utf8'), {
    entries: Object.fromEntries(models.map(({ model, entry }) => [model, entry])),
    write: (indent) => writeEntries(models, indent),
  });
  if (text === undefined)
    throw new MisuseError(
      `${file} is left as it is: its models are not a block with an entry on each line. ` +
        'Add the new ones by hand, as printed without --write.',
    );
  // A link stays a link.
  const target = await realpath(file);
  const draft = `${target}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: (await stat(target)).mode });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw describeWriteFailure(file, error);
  }
}
