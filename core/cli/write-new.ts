import { writeFile } from 'node:fs/promises';
import { MisuseError } from './command.ts';

/** Writes a file that is not there yet, or any by force. @returns was it written? @throws MisuseError where it cannot be */
export async function writeNew(file: string, text: string, force: boolean): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return false;
    throw new MisuseError(
      `${file} cannot be written: ${code === 'ENOENT' ? 'its folder does not exist' : String(error)}.`,
    );
  }
}
