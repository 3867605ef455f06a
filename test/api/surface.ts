import { join, relative } from 'node:path';
import * as ast from 'typescript/unstable/ast';
import { API, SymbolFlags, type Project, type Symbol as TypeScriptSymbol } from 'typescript/unstable/sync';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { emitDeclarations, entryFiles, packageDeclarations, type EntryFiles } from './declarations.ts';
import { readComment, readExported, type Comment, type Exported } from './read-declaration.ts';

/** An entry of the package, and what it exports. */
export interface Entry {
  readonly name: string;
  readonly comment: Comment;
  readonly exports: readonly Exported[];
}

/** The name, in place of an entry, of types to which exports refer, and which no entry exports. */
export const UNNAMED = 'not exported';

const byName = (a: Exported, b: Exported): number => (a.name < b.name ? -1 : 1);

const resolve = (project: Project, symbol: TypeScriptSymbol): TypeScriptSymbol =>
  symbol.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(symbol) : symbol;

/** The package from which an export comes that this project does not declare itself. */
const packageOf = (project: Project, symbol: TypeScriptSymbol): string => {
  for (let next: TypeScriptSymbol | undefined = symbol; next !== undefined;) {
    const declaration = next.declarations[0]?.resolve(project);
    const exporting = declaration?.parent?.parent;
    const specifier = exporting && ast.isExportDeclaration(exporting) ? exporting.moduleSpecifier : undefined;
    const from = specifier?.getText().slice(1, -1);
    if (from !== undefined && !from.startsWith('.')) return from;
    next = next.flags & SymbolFlags.Alias ? project.checker.getImmediateAliasedSymbol(next) : undefined;
  }
  throw new Error(`No declaration of ${symbol.name} is found.`);
};

/** The types that a declaration names. */
function collectTypeNames(node: ast.Node): readonly ast.Node[] {
  const names: ast.Node[] = [];
  const visit = (child: ast.Node): void => {
    if (ast.isTypeReferenceNode(child)) names.push(child.typeName);
    else if (ast.isExpressionWithTypeArguments(child)) names.push(child.expression);
    else if (ast.isTypeQueryNode(child)) names.push(child.exprName);
    child.forEachChild(visit);
  };
  visit(node);
  return names;
}

/** Reads declarations, and follows the types that they name. */
class SurfaceReader {
  readonly #project: Project;
  readonly #folder: string;
  readonly #seen = new Set<number>();
  readonly #queue: ast.Node[] = [];

  constructor(project: Project, folder: string) {
    this.#project = project;
    this.#folder = folder;
  }

  entry(name: string, path: string): Entry {
    const file = this.#project.program.getSourceFile(join(this.#folder, path));
    const module = file && this.#project.checker.getSymbolAtLocation(file);
    if (file === undefined || module === undefined) throw new Error(`${path} is not a module.`);
    const symbols = this.#project.checker.getExportsOfModule(module);
    const exports = symbols.map((symbol) => this.#read(symbol.name, symbol)).sort(byName);
    return { name, comment: readComment(file.statements[0]), exports };
  }

  /** Types of this project that the entries refer to and do not export. */
  unnamed(): readonly Exported[] {
    const found: Exported[] = [];
    for (let node = this.#queue.pop(); node !== undefined; node = this.#queue.pop())
      for (const name of collectTypeNames(node)) {
        const symbol = this.#project.checker.getSymbolAtLocation(name);
        if (symbol === undefined || symbol.flags & SymbolFlags.TypeParameter) continue;
        const target = resolve(this.#project, symbol);
        const isOwn = target.declarations.some(({ path }) => path.toLowerCase().startsWith(this.#folder.toLowerCase()));
        if (isOwn && !this.#seen.has(target.id)) found.push(this.#read(target.name, target));
      }
    return found.sort(byName);
  }

  #read(name: string, symbol: TypeScriptSymbol): Exported {
    const target = resolve(this.#project, symbol);
    this.#seen.add(target.id);
    const nodes = target.declarations.flatMap((handle) => handle.resolve(this.#project) ?? []);
    if (nodes.length === 0) {
      const declaration = `from the package \`${packageOf(this.#project, symbol)}\``;
      return { name, kind: 're-export', file: '', declaration, comment: readComment(undefined), members: [] };
    }
    this.#queue.push(...nodes);
    const file = relative(this.#folder, nodes[0]!.getSourceFile().fileName).replace(/\.d\.ts$/, '.ts');
    return readExported(name, file, nodes);
  }
}

/** Reads what the entries export, from their declarations in a folder. */
function readDeclarations(folder: string, entries: EntryFiles): readonly Entry[] {
  const api = new API({ cwd: folder });
  try {
    const config = join(folder, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProjects()[0];
    if (project === undefined) throw new Error(`TypeScript does not open ${config}.`);
    const reader = new SurfaceReader(project, folder);
    const read = Object.entries(entries).map(([name, path]) => reader.entry(name, path.replace(/\.ts$/, '.d.ts')));
    const unnamed = reader.unnamed();
    return unnamed.length === 0
      ? read
      : [...read, { name: UNNAMED, comment: readComment(undefined), exports: unnamed }];
  } finally {
    api.close();
  }
}

/** What the entries of the package export. */
export const readSurface = (): readonly Entry[] => readDeclarations(packageDeclarations(), entryFiles);

/** What the entries of other sources export. */
export function readSurfaceOf(sources: string, entries: EntryFiles): readonly Entry[] {
  const folder = createTemporaryFolder();
  try {
    emitDeclarations(sources, entries, folder.path);
    return readDeclarations(folder.path, entries);
  } finally {
    folder.remove();
  }
}
