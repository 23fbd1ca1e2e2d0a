#!/usr/bin/env bash
# libraries_test.sh THRONG CORE: what the shared libraries need and show. The core needs nothing that draws or reads the
# files of others; both show what the public headers declare and nothing of the modules behind them.
set -euo pipefail
wrong=0
for library in "$@"; do
  name=$(basename "$library")
  needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort)
  soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
  echo "$name ($soname) needs: $(tr '\n' ' ' <<<"$needed")"
  [[ $soname =~ \.so\.[0-9]+$ ]] || { echo "$name: its name has no version" >&2; wrong=1; }
  if [[ $name == *core* ]] && grep -E 'assimp|cairo|hdf5|sqlite' <<<"$needed"; then
    echo "$name: needs the libraries above" >&2
    wrong=1
  fi
  shown=$(nm -DC --defined-only "$library" | sed 's/^[0-9a-f]* [A-Za-z] //')
  [[ $(grep -c '^throng::World::step' <<<"$shown") -ge 1 ]] || { echo "$name: does not show World::step" >&2; wrong=1; }
  modules='base|geometry|scene|places|import|ground|corridors|graph|agents|metrics|step|goals|planning|following|flows|steering|levels|simulation|record|views|draw|engine|api|serve'
  if grep -E "^(typeinfo for |typeinfo name for |vtable for |guard variable for )?throng::($modules)::" <<<"$shown" | head -5 | grep .; then
    echo "$name: shows the things above, which are of modules and not of the public interface" >&2
    wrong=1
  fi
done
exit $wrong
