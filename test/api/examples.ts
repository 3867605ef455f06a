import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTypes } from './compile-types.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { entryFiles, packageDeclarations, root } from './declarations.ts';
import type { Exported } from './read-declaration.ts';
import { UNNAMED, type Entry } from './surface.ts';

/** An `@example` of the public API. */
export interface Example {
  /** `Guard.inspect`, or the name of an export. */
  readonly subject: string;
  readonly text: string;
  readonly owner: Exported;
  /** The member that it shows; absent for an example of an export. */
  readonly member?: string;
}

export const listExamples = (surface: readonly Entry[]): readonly Example[] =>
  surface
    .filter(({ name }) => name !== UNNAMED)
    .flatMap(({ exports }) => exports)
    .flatMap((owner) => [
      ...owner.comment.examples.map((text) => ({ subject: owner.name, text, owner })),
      ...owner.members.flatMap(({ name, comment }) =>
        comment.examples.map((text) => ({ subject: `${owner.name}.${name}`, text, owner, member: name })),
      ),
    ]);

/** `Codec<O extends Operation>` becomes `Codec<'generate'>`; a type parameter without a constraint accepts all. */
const instantiate = ({ name, declaration }: Exported): string => {
  const [, parameters] = /^\w+ \w+<(.*?)>(?: |$)/.exec(declaration) ?? [];
  if (parameters === undefined) return name;
  const types = parameters.split(', ').map((text) => (text.includes('extends Operation') ? `'generate'` : 'any'));
  return `${name}<${types.join(', ')}>`;
};

/** Whether an example of a member is that member of an object: `identify: (head) => …`, `push(frame) { … }`. */
const isMemberOfObject = ({ text, member }: Example): boolean =>
  member !== undefined && new RegExp(`^(?:async )?${member}[?:(]`).test(text);

function holdToType(example: Example): string {
  const { text, owner, member } = example;
  const type = instantiate(owner);
  if (isMemberOfObject(example)) return `const example: Pick<Required<${type}>, '${member}'> = {\n${text}\n};`;
  return text.startsWith('{') ? `const example: ${type} = ${text};` : text;
}

/** Declares the variable that an example uses: `context` in `context.get(name)`, or `draft` for {@link Draft}. */
function declareVariable(example: Example): string {
  const { text, owner, member } = example;
  if (isMemberOfObject(example)) return '';
  const own = owner.name.replace(/^./, (letter) => letter.toLowerCase());
  const name = member === undefined ? own : new RegExp(`\\b(\\w+)\\.${member}\\b`).exec(text)?.[1];
  if (name === undefined || !new RegExp(`\\b${name}\\.`).test(text)) return '';
  return `declare const ${name}: ${instantiate(owner)};\n`;
}

/** The module that holds the example to the type of what it shows. An example of a call is a statement. */
export function writeModule(example: Example, surface: readonly Entry[]): string {
  const code = `${declareVariable(example)}${holdToType(example)}\n`;
  const words = new Set(code.match(/[\w$]+/g));
  const imports = surface
    .filter(({ name }) => name !== UNNAMED)
    .map(({ name, exports }) => {
      const used = exports.filter((found) => words.has(found.name));
      const names = used.map(({ name: found, kind }) => (/^(?:interface|type)$/.test(kind) ? `type ${found}` : found));
      return `import { ${names.join(', ')} } from '${name}';\n`;
    });
  return `${imports.join('')}${code}`;
}

const config = {
  extends: join(root, 'tsconfig.json'),
  compilerOptions: {
    noImplicitAny: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: 'force',
    paths: Object.fromEntries(
      Object.entries(entryFiles).map(([name, path]) => [name, [`./declarations/${path.replace(/\.ts$/, '.d.ts')}`]]),
    ),
  },
  include: ['*.ts'],
};

/** An example may use functions and values that it does not declare: `reserve(caller.key)`, `{ tap }`. */
const UNDECLARED = /error TS(?:2304|2552|18004): /;

/** Compiles each example against the declarations of the package. @returns what the compiler reports, by example */
export function compileExamples(examples: readonly Example[], surface: readonly Entry[]): readonly string[] {
  const folder = createTemporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  // Not a link: from the folder to which it leads, the compiler would not find the packages.
  const { status } = spawnSync('cp', ['-R', packageDeclarations(), join(folder.path, 'declarations')]);
  if (status !== 0) throw new Error('The declarations of the package were not copied.');
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  examples.forEach((example, index) => writeFileSync(join(folder.path, `${index}.ts`), writeModule(example, surface)));
  const { stdout } = compileTypes(['-p', folder.path], folder.path);
  folder.remove();
  return stdout
    .split('\n')
    .filter((line) => /^\d+\.ts/.test(line) && !UNDECLARED.test(line))
    .map((line) => line.replace(/^(\d+)\.ts\(\d+,\d+\)/, (_, index: string) => examples[Number(index)]?.subject ?? ''));
}
