import type { Document, Node, Pair } from 'yaml';
import { yamlLibrary } from './yaml-library.ts';

/** What a walk of a document comes to: a node, or a pair of a mapping. */
type Step = Node | Pair | null;

/**
 * Calls a function with each node of a document, in order. Unlike `visit` of the library, nothing is allocated for a
 * node: a file of 10,000 models has some 100,000.
 * @param enter gets the node, what it is in (outermost first, valid during the call) and whether it is a key of a
 * mapping; returns false to leave out what is in the node
 */
export function walkNodes(
  document: Document.Parsed,
  enter: (node: Node, ancestors: readonly unknown[], isKey: boolean) => boolean | undefined | void,
): void {
  const { isMap, isPair, isSeq } = yamlLibrary();
  const ancestors: unknown[] = [document];
  const step = (node: Step, isKey: boolean): void => {
    if (node === null) return;
    if (!isPair(node) && enter(node, ancestors, isKey) === false) return;
    ancestors.push(node);
    if (isMap(node)) for (const pair of node.items) step(pair, false);
    else if (isSeq(node)) for (const item of node.items) step(item as Step, false);
    else if (isPair(node)) {
      step(node.key as Step, true);
      step(node.value as Step, false);
    }
    ancestors.pop();
  };
  step(document.contents, false);
}
