#!/usr/bin/env bash
# comment.sh FILE NUMBER: puts FILE under a pull request, in place of the comment with the same first line if there is one.
set -euo pipefail
file=$1 number=$2
[ -s "$file" ] || { echo "no comment: $file is missing or empty"; exit 0; }
repository=${GITHUB_REPOSITORY:?set by GitHub Actions}
MARKER=$(head -n 1 "$file")
export MARKER
known=$(gh api --paginate "repos/$repository/issues/$number/comments" \
    --jq '.[] | select(.body | startswith(env.MARKER)) | .id')
known=${known%%$'\n'*}
if [ -n "$known" ]; then
    gh api --silent --method PATCH "repos/$repository/issues/comments/$known" --field "body=@$file"
else
    gh api --silent --method POST "repos/$repository/issues/$number/comments" --field "body=@$file"
fi
