/**
 * Adds to package-lock.json the platform packages that npm has left out because the registry in use does not hold
 * them, such as the binaries of other operating systems. Without these entries `npm ci` refuses the lock file. Run it
 * after `npm install` with such a registry: `npm run lock:complete`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lockfile {
  packages: Record<string, LockedPackage>;
}

const SYSTEMS = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32';
const PROCESSORS = 'arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64';
const PLATFORM = new RegExp(
  `[-/](${SYSTEMS})-(${PROCESSORS})(?:-(gnu|musl|msvc|eabi|gnueabihf|musleabihf))?$`,
);

/** Where Node.js would find the package from `parent`, innermost first. */
function isLocked(packages: Lockfile['packages'], parent: string, name: string): boolean {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true;
    if (folder === '') return false;
  }
}

export function missingPlatformPackages(lock: Lockfile): [path: string, entry: LockedPackage][] {
  return Object.entries(lock.packages).flatMap(([parent, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(lock.packages, parent, name))
      .map(([name, version]): [string, LockedPackage] => {
        const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
        if (!os || !cpu) throw new Error(`${name} is missing from the lock file and names no platform`);
        const libc = abi?.startsWith('musl') ? ['musl'] : abi?.startsWith('gnu') ? ['glibc'] : undefined;
        return [
          `node_modules/${name}`,
          {
            version,
            cpu: [cpu],
            ...(dev ? { dev } : {}),
            ...(libc ? { libc } : {}),
            optional: true,
            os: [os],
          },
        ];
      }),
  );
}

if (import.meta.main) {
  const file = new URL('../../package-lock.json', import.meta.url);
  const lock: Lockfile = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingPlatformPackages(lock);
  const entries = Object.entries(lock.packages).concat(missing);
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added ${missing.length} platform packages to package-lock.json.`);
}
