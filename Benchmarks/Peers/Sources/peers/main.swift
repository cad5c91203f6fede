import SpringPeers

PeersCommand.main()
