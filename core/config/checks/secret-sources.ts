import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findProgram } from '../../services/secret-sources/find-program.ts';
import { isSecretSource, type SecretSource } from '../../services/secret-sources/source.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { isDuration, parseDuration } from '../units/duration.ts';
import type { Check, CheckContext } from './check.ts';
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

const checkFile = (file: string, path: Path, folder: string): readonly Finding[] =>
  isReadable(resolve(folder, file))
    ? []
    : [
        {
          path,
          rule: 'unreadable-file',
          message: `The file in ${describePath(path)} cannot be read. Check its path and its permissions.`,
        },
      ];

const checkProgram = (program: string, path: Path, { folder, env, isShown }: CheckContext): readonly Finding[] =>
  findProgram(program, folder, env['PATH']) === undefined
    ? [
        {
          path,
          rule: 'missing-program',
          message:
            `The program${isShown(path) ? ` ${JSON.stringify(program)}` : ''} in ${describePath(path)} ` +
            `${program.includes('/') ? 'is not a file that this user can execute' : 'is not in PATH'}. ` +
            'Install it, or write its path.',
        },
      ]
    : [];

const checkEvery = (every: unknown, path: Path): readonly Finding[] =>
  isDuration(every) && parseDuration(every) < MIN_EVERY_MS
    ? [{ path, rule: 'out-of-range', message: `${describePath(path)} must be at least 1s.` }]
    : [];

const checkSource = (source: SecretSource, path: Path, context: CheckContext): readonly Finding[] => {
  const { file, exec, every } = source;
  if (file !== undefined && exec !== undefined)
    return [
      {
        path,
        rule: 'ambiguous-secret',
        message: `${describePath(path)} has both file and exec, but a secret comes from one of them. Remove the other.`,
      },
    ];
  const name = text(file);
  const program = Array.isArray(exec) ? text(exec[0]) : undefined;
  return [
    ...(name === undefined ? [] : checkFile(name, [...path, 'file'], context.folder)),
    ...(program === undefined ? [] : checkProgram(program, [...path, 'exec', 0], context)),
    ...checkEvery(every, [...path, 'every']),
  ];
};

/** A setting that is a mapping, without a file or a program. */
const checkKey = (key: unknown, path: Path, context: CheckContext): readonly Finding[] => {
  if (isSecretSource(key)) return checkSource(key, path, context);
  return typeof key === 'object' && key !== null && !Array.isArray(key)
    ? [
        {
          path,
          rule: 'missing-key',
          message: `${describePath(path)} needs "file" or "exec".`,
        },
      ]
    : [];
};

/** The files and programs from which API keys of providers come must exist. Nothing of them is read or run. */
export const checkSecretSources: Check = (context) =>
  entries(member(context.data, 'providers')).flatMap(([name, provider]) => {
    const config = member(provider, 'config');
    const path: Path = ['providers', name, 'config'];
    const keys = member(config, 'apiKeys');
    return [
      ...checkKey(member(config, 'apiKey'), [...path, 'apiKey'], context),
      ...(Array.isArray(keys) ? keys : []).flatMap((key, index) => checkKey(key, [...path, 'apiKeys', index], context)),
    ];
  });
