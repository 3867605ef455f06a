import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API, SymbolFlags, TypeFlags, type Checker, type Project, type Type } from 'typescript/unstable/sync';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** A type of an SDK, as far as JSON can have it. Members are read on demand, because many types contain themselves. */
export type Shape =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'text' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'list'; readonly item: () => Shape }
  | { readonly kind: 'union'; readonly alternatives: readonly Shape[] }
  | ObjectShape;
export interface ObjectShape {
  readonly kind: 'object';
  readonly members: () => ReadonlyMap<string, Member>;
}
export interface Member {
  /** May be left out, or null. */
  readonly optional: boolean;
  readonly shape: Shape;
}

/** The declarations of the three SDKs, in a folder of packages. */
const files = {
  chat: 'openai/resources/chat/completions/completions.d.ts',
  responses: 'openai/resources/responses/responses.d.ts',
  betaResponses: 'openai/resources/beta/responses/responses.d.ts',
  responsesCount: 'openai/resources/responses/input-tokens.d.ts',
  embeddings: 'openai/resources/embeddings.d.ts',
  messages: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
  betaMessages: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts',
  shared: '@anthropic-ai/sdk/resources/shared.d.ts',
  google: '@google/genai/dist/genai.d.ts',
} as const;
export type Declarations = keyof typeof files;

/** Reads types by name, and ends the compiler. */
export interface TypeReader {
  read(file: Declarations, name: string): Shape;
  close(): void;
}

const NOT_JSON = TypeFlags.Undefined | TypeFlags.Null | TypeFlags.Void | TypeFlags.Never;

class Shapes {
  readonly #checker: Checker;
  readonly #known = new Map<number, Shape>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  of(type: Type): Shape {
    const known = this.#known.get(type.id);
    if (known !== undefined) return known;
    const shape = this.#read(type);
    this.#known.set(type.id, shape);
    return shape;
  }

  #read(type: Type): Shape {
    if (type.flags & TypeFlags.Boolean) return { kind: 'boolean' };
    if (type.isUnionType()) return this.#union(type.getTypes());
    if (type.isLiteralType() && typeof type.value !== 'bigint') return { kind: 'literal', value: type.value };
    if (type.flags & TypeFlags.StringLike) return { kind: 'text' };
    if (type.flags & TypeFlags.NumberLike) return { kind: 'number' };
    if (type.isIntersectionType() && type.getTypes().some(({ flags }) => flags & TypeFlags.StringLike))
      return { kind: 'text' };
    if (this.#checker.isArrayLikeType(type) && type.isTypeReference()) {
      const [item] = this.#checker.getTypeArguments(type);
      return item === undefined ? { kind: 'any' } : { kind: 'list', item: () => this.of(item) };
    }
    return type.isObjectType() || type.isIntersectionType() ? this.#object(type) : { kind: 'any' };
  }

  #union(types: readonly Type[]): Shape {
    const alternatives = types.filter(({ flags }) => !(flags & NOT_JSON)).map((type) => this.of(type));
    if (alternatives.length === 1) return alternatives[0]!;
    const booleans = alternatives.filter((shape) => shape.kind === 'literal' && typeof shape.value === 'boolean');
    if (booleans.length < 2) return { kind: 'union', alternatives };
    const others = alternatives.filter((shape) => !booleans.includes(shape));
    return others.length === 0
      ? { kind: 'boolean' }
      : { kind: 'union', alternatives: [{ kind: 'boolean' }, ...others] };
  }

  #object(type: Type): Shape {
    let members: ReadonlyMap<string, Member> | undefined;
    return { kind: 'object', members: () => (members ??= this.#members(type)) };
  }

  #members(type: Type): ReadonlyMap<string, Member> {
    const symbols = this.#checker
      .getPropertiesOfType(type)
      .filter(({ flags, name }) => !(flags & SymbolFlags.Method) && !name.startsWith('__@'));
    const types = this.#checker.getTypeOfSymbol(symbols);
    return new Map(
      symbols.map(({ name, flags }, index): [string, Member] => {
        const found = types[index];
        const shape: Shape = found === undefined ? { kind: 'any' } : this.of(found);
        const nullable = found?.isUnionType() === true && found.getTypes().some((one) => one.flags & TypeFlags.Null);
        return [name, { optional: nullable || Boolean(flags & SymbolFlags.Optional), shape }];
      }),
    );
  }
}

export interface TypeOptions {
  /** The folder with the SDKs; default: the installed ones. */
  readonly packages?: string | undefined;
  /** Changes the declarations that are read. */
  readonly edit?: (file: Declarations, text: string) => string;
}

const INSTALLED = fileURLToPath(new URL('../../node_modules', import.meta.url));

export function openTypes({ packages = INSTALLED, edit }: TypeOptions = {}): TypeReader {
  const folder = createTemporaryFolder();
  const config = join(folder.path, 'tsconfig.json');
  const paths = new Map(Object.entries(files).map(([file, path]) => [join(packages, path), file as Declarations]));
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, types: [], skipLibCheck: true };
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [...paths.keys()] }));
  const readFile = (path: string): string | undefined => {
    const file = paths.get(path);
    return file === undefined ? undefined : edit?.(file, readFileSync(path, 'utf8'));
  };
  const api = new API({ cwd: folder.path, ...(edit === undefined ? {} : { fs: { readFile } }) });
  const close = (): void => {
    api.close();
    folder.remove();
  };
  const project: Project | undefined = api.updateSnapshot({ openProjects: [config] }).getProjects()[0];
  if (project === undefined) {
    close();
    throw new Error(`TypeScript does not open ${config}.`);
  }
  const shapes = new Shapes(project.checker);
  return {
    read: (file, name) => {
      const source = project.program.getSourceFile(join(packages, files[file]));
      const module = source && project.checker.getSymbolAtLocation(source);
      // `Interactions.Step` is a type of a namespace.
      const symbol = name
        .split('.')
        .reduce(
          (owner, part) => owner && project.checker.getExportsOfModule(owner).find((found) => found.name === part),
          module,
        );
      if (symbol === undefined) throw new Error(`${files[file]} exports no ${name}.`);
      return shapes.of(project.checker.getDeclaredTypeOfSymbol(symbol));
    },
    close,
  };
}
