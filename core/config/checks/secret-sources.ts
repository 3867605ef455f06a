import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../../canonical/json/members.ts';
import { readList } from '../../canonical/json/read.ts';
import { findProgram } from '../../services/secret-sources/find-program.ts';
import { isSecretSource, type SecretSource } from '../../services/secret-sources/source.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { isDuration, parseDuration } from '../units/duration.ts';
import type { CheckContext } from './check.ts';
import { unreadableFile } from './connections.ts';
import { entries, member, text } from './tolerant.ts';

const MIN_EVERY_MS = 1_000;

const isReadable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK);
    return !statSync(file).isDirectory();
  } catch {
    return false;
  }
};

const missingProgram = (program: string, path: Path, isShown: boolean): Finding => ({
  path,
  rule: 'missing-program',
  message:
    `The program${isShown ? ` ${JSON.stringify(program)}` : ''} in ${describePath(path)} ` +
    `${program.includes('/') ? 'is not a file that this user can execute' : 'is not in PATH'}. ` +
    'Install it, or write its path.',
});

function* checkSource(
  { file, exec, every }: SecretSource,
  path: Path,
  { folder, env, isShown }: CheckContext,
): Iterable<Finding> {
  if (file !== undefined && exec !== undefined) {
    const place = describePath(path);
    const message = `${place} has both file and exec, but a secret comes from one of them. Remove the other.`;
    yield { path, rule: 'ambiguous-secret', message };
    return;
  }
  const name = text(file);
  if (name !== undefined && !isReadable(resolve(folder, name))) yield unreadableFile([...path, 'file']);
  const program = text(readList(exec)[0]);
  const ofProgram = [...path, 'exec', 0];
  if (program !== undefined && findProgram(program, folder, env['PATH']) === undefined)
    yield missingProgram(program, ofProgram, isShown(ofProgram));
  const ofEvery = [...path, 'every'];
  if (isDuration(every) && parseDuration(every) < MIN_EVERY_MS)
    yield { path: ofEvery, rule: 'out-of-range', message: `${describePath(ofEvery)} must be at least 1s.` };
}

/** A setting that is a mapping needs a file or a program. */
function* checkKey(key: unknown, path: Path, context: CheckContext): Iterable<Finding> {
  if (isSecretSource(key)) yield* checkSource(key, path, context);
  else if (isObject(key)) yield { path, rule: 'missing-key', message: `${describePath(path)} needs "file" or "exec".` };
}

/** The files and programs from which API keys of providers come must exist. Nothing of them is read or run. */
export function* checkSecretSources(context: CheckContext): Iterable<Finding> {
  for (const [name, provider] of entries(member(context.data, 'providers'))) {
    const config = member(provider, 'config');
    const path: Path = ['providers', name, 'config'];
    yield* checkKey(member(config, 'apiKey'), [...path, 'apiKey'], context);
    for (const [index, key] of readList(member(config, 'apiKeys')).entries())
      yield* checkKey(key, [...path, 'apiKeys', index], context);
  }
}
