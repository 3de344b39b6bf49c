#!/usr/bin/env bash
# Keeps one open issue for a scheduled check: opens it at the first failure, updates it at the next,
# and closes it when the check passes. Usage: rolling-issue.sh LABEL TITLE EXIT_STATUS REPORT_FILE
set -euo pipefail
label=$1 title=$2 status=$3 report=$4
# A new fork has no issues.
if [ "$(gh repo view --json hasIssuesEnabled --jq .hasIssuesEnabled)" = false ]; then
  echo '::warning::This repository has no issues: enable them (Settings, General) to keep the report in one.'
  exit 0
fi
body=$(mktemp)
trap 'rm -f "$body"' EXIT
# GitHub accepts 65,536 characters in an issue.
printf 'Run: %s\n\n```text\n%s\n```\n' "${RUN_URL:-this machine}" "$(tail -c 60000 "$report")" >"$body"

number=$(gh issue list --label "$label" --state open --limit 1 --json number --jq '.[0].number // empty')
if [ "$status" -eq 0 ]; then
  [ -z "$number" ] || gh issue close "$number" --comment "The check passes again."
elif [ -n "$number" ]; then
  gh issue edit "$number" --body-file "$body"
else
  gh label create "$label" --force
  gh issue create --title "$title" --label "$label" --body-file "$body"
fi
