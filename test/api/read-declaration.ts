import * as ast from 'typescript/unstable/ast';

/** The TSDoc of a declaration. */
export interface Comment {
  readonly text: string;
  readonly examples: readonly string[];
}

/** A member of an interface or class. */
export interface Member {
  readonly name: string;
  readonly declaration: string;
  readonly comment: Comment;
}

/** Something that an entry exports. */
export interface Exported {
  readonly name: string;
  readonly kind: 'interface' | 'class' | 'type' | 'function' | 'const' | 're-export';
  /** The source, relative to the root; empty for a re-export of another package. */
  readonly file: string;
  /** Of an interface or class only what comes before its members. */
  readonly declaration: string;
  readonly comment: Comment;
  readonly members: readonly Member[];
}

const STRING_OR_COMMENT = /('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|\s*\/\*[^]*?\*\/|\s*\/\/[^\n]*/g;

/** Without comments, without the words that are the same in each declaration, indented by two. */
const clean = (text: string): string =>
  text
    .replaceAll(STRING_OR_COMMENT, (_, string?: string) => string ?? '')
    .replace(/^(?:export |declare |default )+/, '')
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));

/** Reads the TSDoc before a declaration. */
export function readComment(node: ast.Node | undefined): Comment {
  const comment = node?.jsDoc?.at(-1);
  if (comment === undefined || !ast.isJSDoc(comment)) return { text: '', examples: [] };
  const tags = [...(comment.tags ?? [])].filter((tag) => tag.tagName.text === 'example');
  return {
    text: ast.getTextOfJSDocComment(comment.comment) ?? '',
    examples: tags.map((tag) => ast.getTextOfJSDocComment(tag.comment) ?? ''),
  };
}

const isPublic = (node: ast.Node): boolean => !/^(?:private\b|#private)/.test(node.getText());

const nameOfMember = (node: ast.TypeElement | ast.ClassElement): string => {
  if (ast.isConstructorDeclaration(node)) return 'constructor';
  const { name } = node as { readonly name?: ast.Node };
  return name?.getText().replaceAll(/^'|'$/g, '') ?? /\[[^\]]*\]/.exec(node.getText())?.[0] ?? '()';
};

const readMember = (node: ast.TypeElement | ast.ClassElement): Member => ({
  name: nameOfMember(node),
  declaration: clean(node.getText()).replaceAll(/^ {2}/gm, ''),
  comment: readComment(node),
});

const isFunction = (node: ast.Node): boolean =>
  ast.isFunctionDeclaration(node) ||
  (ast.isVariableDeclaration(node) && node.type !== undefined && ast.isFunctionTypeNode(node.type));

const kindOf = (node: ast.Node): Exported['kind'] => {
  if (ast.isInterfaceDeclaration(node)) return 'interface';
  if (ast.isClassDeclaration(node)) return 'class';
  if (ast.isTypeAliasDeclaration(node)) return 'type';
  return isFunction(node) ? 'function' : 'const';
};

/** The name and type of a variable belong to a statement that has the TSDoc. */
const statementOf = (node: ast.Node): ast.Node => (ast.isVariableDeclaration(node) ? node.parent.parent : node);

const headOf = (node: ast.Node): string =>
  ast.isInterfaceDeclaration(node) || ast.isClassDeclaration(node)
    ? node
        .getSourceFile()
        .text.slice(node.getStart(), node.members.pos - 1)
        .trimEnd()
    : statementOf(node).getText();

/** @param nodes all declarations of one name: several for a function with overloads */
export function readExported(name: string, file: string, nodes: readonly ast.Node[]): Exported {
  const members = nodes.flatMap((node) =>
    ast.isInterfaceDeclaration(node) || ast.isClassDeclaration(node)
      ? [...node.members].filter(isPublic).map(readMember)
      : [],
  );
  const [first] = nodes;
  if (first === undefined) throw new Error(`${name} has no declaration.`);
  return {
    name,
    kind: kindOf(first),
    file,
    declaration: nodes.map((node) => clean(headOf(node))).join('\n'),
    comment: readComment(statementOf(first)),
    members,
  };
}
