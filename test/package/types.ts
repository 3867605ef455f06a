import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/release/lockfile.ts';
import { run, type Installation } from './install.ts';

/** The declarations, as an author of an extension sees them. */
export function testTypes(installed: () => Installation): void {
  it('the installed package has types for both of its entries, with @types/node and a plain tsconfig', () => {
    const packages = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const types = `@types/node@${packages.devDependencies['@types/node']}`;
    run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-save', types], installed().home);
    const folder = join(installed().home, 'typed');
    mkdirSync(folder);
    copyFileSync(join(installed().config, 'greeting.ts'), join(folder, 'greeting.ts'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['greeting.ts'] }));
    const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder];
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: '' });
  });
}
