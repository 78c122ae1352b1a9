/** Three examples for the help of each command; the empty name is the whole program. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ['demo', 'quick yjs loro sharedb', 'run compare --frameworks yjs,loro --trials 1'],
  demo: ['demo', 'demo --show', 'demo --no-open --json'],
  quick: ['quick yjs loro', 'quick yjs sharedb --users 16', 'quick yjs ./my-framework --careful'],
  run: ['run smoke', 'run compare --frameworks yjs,loro --users 4,8', 'run my.yaml -n 5 -o results/mine --resume'],
  plan: ['plan compare', 'plan my.yaml --users 16,32 --all', 'plan hundred --json'],
  ci: [
    'ci ./bench/mine --base main --build "npm ci && npm run build"',
    'ci ./bench/mine --base published --profile careful -o results/ci/mine',
    'ci yjs@13.6.33 --base 13.5.53',
  ],
  max: ['max yjs sharedb', 'max yjs --mode node --at-most 64', 'max loro --where "endToEndLatencyMs.p95 < 500"'],
  report: ['report results/demo/TIME', 'report RUN --png', 'report RUN-1 RUN-2 --out results/both --published'],
  compare: [
    'compare results/old results/new',
    'compare RUN-WITH-AGAINST --markdown',
    'compare OLD NEW --fail-if "endToEndLatencyMs.p95 > +10%"',
  ],
  sql: ['sql RUN', 'sql RUN "SELECT * FROM cell_summaries"', 'sql RUN "SELECT * FROM sends" --csv --trials yjs'],
  site: ['site', 'site results/compare/TIME --out /srv/www', 'site --code https://example.org/scriptorium/blob/main'],
  submit: ['submit results/compare/TIME', 'submit RUN -o submissions', 'submit results/submitted/NAME.json.gz'],
  list: ['list', 'list yjs loro', 'list --experiments'],
  'new-framework': [
    'new-framework my-framework',
    'new-framework ./bench/mine',
    'new-framework ./bench/mine --kind own-server',
  ],
  check: ['check yjs', 'check ./bench/mine --mode noquill', 'check --capabilities yjs loro'],
  'crowd record': ['crowd record hundred', 'crowd record my.yaml --users 48', 'crowd record hundred --frameworks yjs'],
  doctor: ['doctor', 'doctor --json'],
  calibrate: ['calibrate', 'calibrate --full', 'calibrate --json'],
  test: ['test', 'test analysis/cell', 'test --faults --minutes 5'],
  completions: [
    'completions bash > ~/.local/share/bash-completion/completions/scriptorium',
    'completions zsh > ~/.zfunc/_scriptorium',
    'completions fish > ~/.config/fish/completions/scriptorium.fish',
  ],
};
