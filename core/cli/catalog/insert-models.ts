import { randomUUID } from 'node:crypto';
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parseDocument, type ParsedNode, type YAMLMap } from 'yaml';
import { isObject } from '../../canonical/json/members.ts';
import { MisuseError } from '../command.ts';
import { describeWriteFailure } from '../write-new-file.ts';
import type { ProposedModel } from './propose.ts';
import { writeEntries } from './write-proposal.ts';

const byHand = (file: string, why: string): MisuseError =>
  new MisuseError(`${file} is left as it is: ${why}. Add the models by hand, as printed without --write.`);

/** Where the last entry of a block ends: after its line. */
const endOf = (text: string, { items }: YAMLMap.Parsed): number => {
  const last = items.at(-1);
  const end = (last?.value ?? last?.key)?.range?.[1] ?? 0;
  const line = text.indexOf('\n', text.slice(0, end).trimEnd().length);
  return line === -1 ? text.length : line + 1;
};

const indentOf = (text: string, { items: [first] }: YAMLMap.Parsed): string => {
  const at = first?.key.range[0] ?? 0;
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
};

const findModels = (contents: ParsedNode | null): ParsedNode | null | undefined =>
  isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'models')?.value : undefined;

/**
 * Adds models to the text of a configuration, below those that it has. All other text stays as it is.
 * @throws MisuseError where that is not possible
 */
export function insertModels(text: string, models: readonly ProposedModel[], file: string): string {
  const document = parseDocument(text);
  const node = findModels(document.contents);
  const own = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  let inserted: string;
  if (node === undefined) inserted = `${own}\nmodels:\n${writeEntries(models, '  ')}`;
  else if (isMap(node) && node.flow !== true && node.items.length > 0) {
    const at = endOf(own, node);
    inserted = own.slice(0, at) + writeEntries(models, indentOf(own, node)) + own.slice(at);
  } else throw byHand(file, 'its models are not a block with an entry on each line');
  const [before, after]: readonly unknown[] = [document.toJS(), parseDocument(inserted).toJS()];
  const added = Object.fromEntries(models.map(({ model, entry }) => [model, entry]));
  const whole = isObject(before) ? before : {};
  const expected = { ...whole, models: { ...(isObject(whole['models']) ? whole['models'] : {}), ...added } };
  if (!isDeepStrictEqual(after, expected)) throw byHand(file, 'its layout does not allow an insertion');
  return inserted;
}

/** Replaces the file at once, so that a running gateway never reads half of it. @throws MisuseError */
export async function addModels(file: string, models: readonly ProposedModel[]): Promise<void> {
  const text = insertModels(await readFile(file, 'utf8'), models, file);
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
