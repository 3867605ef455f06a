import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/**
 * The file of a program: one with a slash is a path relative to the folder, any other is searched in `PATH`. Undefined
 * if there is none that this user can execute.
 */
export function findProgram(program: string, folder: string, path = ''): string | undefined {
  const candidates = program.includes('/')
    ? [resolve(folder, program)]
    : path.split(delimiter).flatMap((each) => (each === '' ? [] : join(each, program)));
  return candidates.find(isProgram);
}
