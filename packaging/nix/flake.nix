# krou from the sources of the repository: `nix run 'github:OWNER/krou?dir=packaging/nix' -- probe …`.
{
  description = "Exact endgame tables, engine and board for oware";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { nixpkgs, ... }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "aarch64-darwin"
      ];
      root = ../..;
      krou =
        pkgs:
        pkgs.rustPlatform.buildRustPackage {
          pname = "krou";
          version = (nixpkgs.lib.importTOML (root + "/Cargo.toml")).workspace.package.version;
          src = root;
          cargoLock.lockFile = root + "/Cargo.lock";
          buildAndTestSubdir = "crates/cli";
          # They take minutes; the sources have passed them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/krou man --out man && installManPage man/*
            for shell in bash fish zsh; do
              $out/bin/krou completions $shell >krou.$shell
            done
            installShellCompletion krou.{bash,fish,zsh}
          '';
          doInstallCheck = true;
          installCheckPhase = ''
            $out/bin/krou probe --json "0 1 1 0 2 2 / 0 1 0 1 1 0" | grep -q '"value":-5'
          '';
          meta = {
            description = "Exact endgame tables, engine and board for oware";
            license = with nixpkgs.lib.licenses; [
              mit
              asl20
            ];
            mainProgram = "krou";
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = krou nixpkgs.legacyPackages.${system};
      });
    };
}
