//! Machine-readable metadata of a pack for archives: RO-Crate, version 1.3.

use serde_json::{Value, json};

/// The metadata of a pack, without its tables.
#[derive(Clone, Debug)]
pub struct About {
    pub name: String,
    pub description: String,
    /// The authors of the tables.
    pub authors: Vec<String>,
    /// The licences of the tables, as SPDX identifiers.
    pub licenses: Vec<String>,
    /// Name and version of the program that packed the tables.
    pub program: (String, String),
}

pub(crate) const CRATE_FILE: &str = "ro-crate-metadata.json";

/// Returns the metadata of a pack that contains `files`, which are names with lengths.
pub(crate) fn metadata<'a>(
    about: &About,
    date: u64,
    files: impl Iterator<Item = (&'a str, Option<u64>)> + Clone,
) -> String {
    let parts: Vec<Value> = files.clone().map(|(name, _)| json!({ "@id": name })).collect();
    let (program, version) = &about.program;
    let refer = |ids: Vec<String>| match &ids[..] {
        [only] => json!({ "@id": only }),
        ids => ids.iter().map(|id| json!({ "@id": id })).collect(),
    };
    let author = |at: usize| match at {
        0 => "#author".to_owned(),
        _ => format!("#author-{}", at + 1),
    };
    let address = |id: &String| match &id[..] {
        "CC0-1.0" => "https://creativecommons.org/publicdomain/zero/1.0/".to_owned(),
        id => format!("https://spdx.org/licenses/{id}"),
    };
    let mut graph = vec![
        json!({
            "@id": CRATE_FILE,
            "@type": "CreativeWork",
            "conformsTo": { "@id": "https://w3id.org/ro/crate/1.3" },
            "about": { "@id": "./" },
        }),
        json!({
            "@id": "./",
            "@type": "Dataset",
            "name": about.name,
            "description": about.description,
            "datePublished": day(date),
            "license": refer(about.licenses.iter().map(address).collect()),
            "author": refer((0..about.authors.len()).map(author).collect()),
            "mentions": { "@id": "#made" },
            "hasPart": parts,
        }),
        json!({
            "@id": "#program",
            "@type": "SoftwareApplication",
            "name": program,
            "version": version,
        }),
        json!({
            "@id": "#made",
            "@type": "CreateAction",
            "name": format!("Packed by {program} {version}; provenance.json says more"),
            "instrument": { "@id": "#program" },
            "result": { "@id": "./" },
        }),
    ];
    graph.extend(about.licenses.iter().map(|id| {
        json!({
            "@id": address(id),
            "@type": "CreativeWork",
            "name": id,
            "description": format!("the licence {id}; README.md says which tables have it"),
        })
    }));
    graph.extend(
        about
            .authors
            .iter()
            .enumerate()
            .map(|(at, name)| json!({ "@id": author(at), "@type": "Organization", "name": name })),
    );
    for (name, bytes) in files {
        let mut file = json!({ "@id": name, "@type": "File", "name": name });
        if let Some(format) = format(name) {
            file["encodingFormat"] = format.into();
        }
        if let Some(bytes) = bytes {
            file["contentSize"] = bytes.to_string().into();
        }
        graph.push(file);
    }
    let all = json!({ "@context": "https://w3id.org/ro/crate/1.3/context", "@graph": graph });
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

fn format(name: &str) -> Option<&'static str> {
    let (_, end) = name.rsplit_once('.').unwrap_or(("", "txt"));
    Some(match end {
        "zst" => "application/zstd",
        "json" => "application/json",
        "md" => "text/markdown",
        "py" => "text/x-python",
        "cff" => "application/yaml",
        "txt" => "text/plain",
        _ => return None,
    })
}

/// Formats a time in seconds since 1970 as a date such as 2026-11-21.
pub fn day(seconds: u64) -> String {
    // Count the days from 1 March of the year 0, and divide them into eras of 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::day;

    /// The expected values come from `date -u -d @SECONDS +%F` of GNU coreutils.
    #[test]
    fn dates_follow_the_calendar() {
        let days = [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_795_132_800, "2026-11-20"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, expected) in days {
            assert_eq!(day(seconds), expected);
        }
    }
}
