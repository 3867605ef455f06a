import type { SourceFile } from './source-files.ts';

/** What extensions import: `core/api`. Its own imports, which reach into most folders, are left out. */
const PUBLIC_API = 'api';

/** The node of a file in the drawing: a folder of core, or one of the folders beside core. */
function nodeOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (top !== 'core') return top;
  return second.endsWith('.ts') ? '' : second;
}

/** The folders each folder imports from. Files at the root of core, which only assemble the folders, are left out. */
function collectImports(files: readonly SourceFile[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = nodeOf(path);
    if (from === '' || from === PUBLIC_API) continue;
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const target of imports) {
      if (!/^(?:core|importers|plugins|providers)\//.test(target)) continue;
      const to = nodeOf(target);
      if (to !== '' && to !== from) targets.add(to);
    }
  }
  return graph;
}

/** Whether `to` can be reached from `from` over at least one other folder. */
function isImplied(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const queue = [...(graph.get(from) ?? [])].filter((next) => next !== to);
  for (const next of queue) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const target of graph.get(next) ?? []) {
      if (target === to) return true;
      queue.push(target);
    }
  }
  return false;
}

/**
 * The folders and their imports as a Mermaid flowchart. An arrow that follows from others is left out, so that the
 * drawing shows the layers: `a --> b` means that `a` imports from `b` and from everything below it.
 */
export function drawFolders(files: readonly SourceFile[]): string {
  const graph = collectImports(files);
  const lines = ['flowchart TD'];
  for (const from of [...graph.keys()].toSorted()) {
    for (const to of [...(graph.get(from) ?? [])].toSorted()) {
      if (!isImplied(graph, from, to)) lines.push(`  ${from} --> ${to}`);
    }
  }
  return lines.join('\n');
}
