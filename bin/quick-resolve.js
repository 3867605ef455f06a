import module from 'node:module';

/** Folders of modules alone, without links: the gateway's own, and those of the package with the most files. */
const folders = [
  ...['core', 'importers', 'plugins', 'providers'].map((name) => new URL(`../${name}/`, import.meta.url).href),
  new URL('./', import.meta.resolve('kysely')).href,
];
const formats = new Map([
  ['.js', 'module'],
  ['.ts', 'module-typescript'],
]);

// A relative import in these folders names the file itself. Node would look for links and for a package.json on the way
// to each of a thousand files: a quarter of the time of a start.
module.registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const format = specifier.startsWith('.') ? formats.get(specifier.slice(-3)) : undefined;
    const { parentURL } = context;
    return format !== undefined && parentURL !== undefined && folders.some((folder) => parentURL.startsWith(folder))
      ? { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
      : nextResolve(specifier, context);
  },
});
